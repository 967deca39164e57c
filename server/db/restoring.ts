/**
 * What a restore does with a table (P44). Each feature declares its own tables. A test demands a
 * word for each column; names of columns are separated by spaces.
 */
export type Restoring = {
  table: string;
  /** Columns that come from the backup. */
  restored?: string;
  /** Columns that stay as they are now in a row that the backup has too (`same`). */
  kept?: string;
  /** Columns that come from the backup, but need not. */
  no_matter?: string;
  /**
   * Columns that never change. A row of today is the same as one of the backup if these and `id`
   * are equal.
   */
  same?: string;
  /** A kept column of text with a value that no two rows share. */
  unique?: string;
  /** The tables that `kept` columns refer to. What the backup lacks becomes null, or the row goes. */
  refers?: Record<string, string>;
  /**
   * `of`: the rows of the same row of that column's table are kept as a whole. `added`: rows that
   * the backup lacks are added to it. `emptied` and `untouched`: not in a backup.
   */
  rows?: { of: string } | 'added' | 'emptied' | 'untouched';
  /** Rows that were deleted since the backup stay deleted. */
  staysDeleted?: true;
};
