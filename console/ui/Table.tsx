import type { ReactNode } from 'react';

/**
 * A column's name and look: `r` aligns right, `sc` is for scores. `full` has a line of its own when
 * a narrow panel shows the table as a list.
 */
type Column = string | readonly [name: string, look: 'r' | 'sc' | 'full'];

/** The column of buttons. Only screen readers get its name. */
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
 * A table. In a narrow panel it becomes a list of the form `kind`. `children` are rows, whose cells
 * repeat the column's name in `data-l`. Only screen readers get `caption`.
 */
export function Table({
  caption,
  columns,
  kind,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  kind?: 'games' | 'mine' | '3' | 'players' | 'audit' | 'places';
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
