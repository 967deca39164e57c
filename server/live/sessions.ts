export type OpenAmong = (ids: string[]) => Promise<ReadonlySet<string>>;

/**
 * Calls `end` for each stream whose session has ended. If that cannot be checked, calls
 * `onFailure`, then `end` for every stream.
 */
export async function endWithSessions<S extends { session_id: string }>(
  streams: ReadonlySet<S>,
  openAmong: OpenAmong,
  end: (stream: S) => void,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const checked = [...streams];
  if (checked.length === 0) return;
  const ids = [...new Set(checked.map(({ session_id }) => session_id))];
  const open = await openAmong(ids).catch((error: unknown) => {
    onFailure(error);
    return new Set<string>();
  });
  for (const stream of checked) if (!open.has(stream.session_id)) end(stream);
}
