/**
 * What a restore does with a table (P44). Each feature declares its own tables. A test demands that
 * each column is declared. Spaces separate column names.
 */
export type Restoring = {
  table: string;
  /** Columns that come from the backup. */
  restored?: string;
  /** Columns that keep their current value in rows that the backup also has (`same`). */
  kept?: string;
  /** Columns that come from the backup, though any value would do. */
  no_matter?: string;
  /**
   * Columns that never change. A current row and a row of the backup are the same if these columns
   * and `id` are equal.
   */
  same?: string;
  /** A kept text column whose values are unique. */
  unique?: string;
  /**
   * The tables that `kept` columns refer to. A reference that the backup lacks becomes null; in a
   * required column it stays as in the backup, or, with `of`, its row is removed.
   */
  refers?: Record<string, string>;
  /**
   * `of`: a column that refers to another table. For each row there that the backup also has, the
   * current rows are kept instead of the backup's. `added`: rows that the backup lacks are added to
   * it. `emptied` and `untouched`: not in a backup.
   */
  rows?: { of: string } | 'added' | 'emptied' | 'untouched';
  /** Rows that were deleted after the backup stay deleted. */
  staysDeleted?: true;
};
