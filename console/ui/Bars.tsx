/** The tallest bar of charts with a common scale; at least 1. */
export const tallest = (charts: readonly (readonly number[])[]): number =>
  Math.max(1, ...charts.flat());

const inWords = (hours: readonly number[], first: number) =>
  `Games by hour from ${first}: ${hours.join(', ')}`;

/** Games by hour, on a card. `most` is the top of the cards' scale. */
export function Spark({
  hours,
  first,
  most,
}: {
  hours: readonly number[];
  first: number;
  most: number;
}) {
  const step = 120 / Math.max(hours.length, 1);
  return (
    <svg
      className="spark"
      viewBox="0 0 120 38"
      preserveAspectRatio="none"
      role="img"
      aria-label={inWords(hours, first)}
    >
      {hours.map((games, at) => {
        const height = games === 0 ? 2 : Math.max(3, (36 * games) / most);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its hour
            key={at}
            className={games === 0 ? 'z' : undefined}
            x={at * step + 1}
            y={38 - height}
            width={Math.max(1, step - 2)}
            height={height}
            rx="1.5"
          />
        );
      })}
    </svg>
  );
}

/** Games by hour, on the scoreboard. `running` dashes the current hour's bar. */
export function Hours({
  hours,
  first,
  running,
}: {
  hours: readonly number[];
  first: number;
  running: boolean;
}) {
  const most = tallest([hours]);
  const step = 320 / Math.max(hours.length, 1);
  const best = hours.indexOf(Math.max(...hours));
  return (
    <svg className="hours" viewBox="0 0 320 120" role="img" aria-label={inWords(hours, first)}>
      {hours.map((games, at) => {
        const height = Math.max(games === 0 ? 2 : 5, (80 * games) / most);
        const middle = (at + 0.5) * step;
        const now = running && at === hours.length - 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its hour
          <g key={at}>
            <rect
              className={now ? 'now' : undefined}
              x={at * step + step * 0.08}
              y={98 - height}
              width={step * 0.84}
              height={height}
              rx="3"
            />
            {((at === best && games > 0) || now) && (
              <text className="figure" x={middle} y={93 - height} textAnchor="middle">
                {games}
              </text>
            )}
            {at % 2 === 0 && (
              <text x={middle} y="115" textAnchor="middle">
                {(first + at) % 24}
              </text>
            )}
          </g>
        );
      })}
      <line x1="0" x2="320" y1="98.5" y2="98.5" />
    </svg>
  );
}
