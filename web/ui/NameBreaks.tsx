import { Fragment } from 'react';

/** A name or address too long for a line breaks after `_`, `-`, `@` or `.` first (HAND-37). */
export function NameBreaks({ name }: { name: string }) {
  return name.split(/(?<=[_@.-])(?=.)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
