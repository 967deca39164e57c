import type { ReactNode } from 'react';

/** A column's name, and how it looks: `r` aligned right, `sc` a score, `full` a line of a list. */
type Column = string | readonly [name: string, look: 'r' | 'sc' | 'full'];

/** The last column, of buttons. Only screen readers have its name. */
export const ACTIONS = 'Actions';

function Head({ column }: { column: Column }) {
  if (column === ACTIONS)
    return (
      <th scope="col" className="full">
        <span className="sr">{column}</span>
      </th>
    );
  const [name, look] = typeof column === 'string' ? [column] : column;
  return (
    <th scope="col" className={look}>
      {name}
    </th>
  );
}

/**
 * A table that becomes a list in a narrow panel. `children` are the rows; their cells repeat the
 * column's name in `data-l`. `kind` names the form of the list. Only screen readers have `caption`.
 */
export function Table({
  caption,
  columns,
  kind,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  kind?: 'games' | 'mine' | '3' | 'players' | 'audit';
  children: ReactNode;
}) {
  return (
    <table className={kind === undefined ? 't' : `t t--${kind}`}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={typeof column === 'string' ? column : column[0]} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
