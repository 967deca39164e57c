import type { MachineCard } from '#contract/wire/machines.ts';
import { Link } from '../router.tsx';
import { Spark } from '../ui/Bars.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { clockIn, queueWords, sinceIn, spanOf, stateWords } from '../ui/machine-words.ts';
import { State } from '../ui/State.tsx';

/** Who is playing, the last game, or since when the machine is in repair or refused. */
function Now({ card, now, opens }: { card: MachineCard; now: Date; opens: string }) {
  const { player, greeted_at, last_game, state, since, timezone } = card;
  if (state === 'repair')
    return (
      <span>
        {since && `Since ${sinceIn(since, timezone, now)}, `}by {card.repair_by}
        {card.repair_why !== null && <b className="mach__why">{card.repair_why}</b>}
      </span>
    );
  if (state === 'refused' && since) return <>Since {sinceIn(since, timezone, now)}, games kept</>;
  if (player !== null)
    return (
      <>
        <Jersey colour={player.avatar_color} number={player.jersey_number} />
        <span>
          <b>{player.username}</b>
          {greeted_at && `, ${spanOf(greeted_at, now)}`}
        </span>
      </>
    );
  if (last_game === null) return <>No game yet</>;
  const name = last_game.username === null ? '' : `, ${last_game.username}`;
  const at = sinceIn(last_game.played_at, timezone, now);
  return (
    <>
      {last_game.played_at < opens ? 'Last game before tonight,' : 'Last game'} {at}
      {name}
    </>
  );
}

/**
 * A machine's card. The whole card is a link to the machine's page.
 * @param opens When the opening day began
 * @param first The hour of the first bar, 0 to 23
 * @param most The games of the tallest bar of all cards
 */
export function Card({
  card,
  now,
  opens,
  first,
  most,
}: {
  card: MachineCard;
  now: Date;
  opens: string;
  first: number;
  most: number;
}) {
  const [waiting, rest] = queueWords(card);
  const unknown = card.state === 'refused' && card.since !== null;
  return (
    <li className={card.state === 'repair' ? 'mach mach--off' : 'mach'}>
      <h3>
        <Link to={`/console/machines/${card.id}`}>{card.name}</Link>
        <small>{card.venue ?? 'No venue'}</small>
      </h3>
      <State state={card.state} words={stateWords(card, now)} />
      <div className="mach__now">
        <Now card={card} now={now} opens={opens} />
      </div>
      <div className="mach__g">
        <p>
          <span className="num">{card.games.toLocaleString('en')}</span>
          <small>{card.games === 1 ? 'game' : 'games'}</small>
        </p>
        <Spark hours={card.hours} first={first} most={most} />
      </div>
      <p className="mach__q">
        <span>
          {card.state === 'repair' ? (
            'People can play; no mails. Open it to put it back in service.'
          ) : unknown ? (
            `Unknown since ${clockIn(card.since ?? '', card.timezone)} whether games wait`
          ) : (
            <>
              {waiting && <b>{waiting}</b>}
              {rest}
            </>
          )}
        </span>
        {card.software !== null && <span className="nw">v {card.software}</span>}
      </p>
    </li>
  );
}
