import { type CSSProperties, useState } from 'react';
import type { CupPairing, CupRound, CupSide } from '#contract/wire/cups.ts';
import { Segments } from '../ui/Segments.tsx';
import { pairingWords, sideName, sumWords } from './cup-words.ts';
import { windowWords } from './words.ts';

/** A tree shows at most this many of the last rounds. Each earlier round is shown alone. */
const TREE_ROUNDS = 3;

type Shown = { timezone: string; now: string; of: number; hot: readonly string[] };

/** The tree of a cup; `hot`: labels of pairings that need a hand. */
export function CupTree({
  rounds,
  timezone,
  of,
  now = '',
  hot = [],
}: Omit<Shown, 'now' | 'hot'> & Partial<Shown> & { rounds: CupRound[] }) {
  const shown = { timezone, now, of, hot };
  const early = rounds.slice(0, -TREE_ROUNDS);
  const open = early.findIndex(({ pairings }) => pairings.some(({ decided }) => !decided));
  const [chosen, choose] = useState<number | null>(null);
  const at = chosen ?? (open === -1 ? early.length : open);
  const alone = early[at];
  return (
    <>
      {early.length > 0 && (
        <Segments
          legend="Round"
          names={[...early, ...rounds.slice(early.length, early.length + 1)].map(
            ({ name }) => name,
          )}
          chosen={at}
          onChoose={choose}
        />
      )}
      {alone === undefined ? (
        <div
          className="tree mt3"
          style={{ '--rounds': rounds.length - early.length } as CSSProperties}
        >
          {rounds.slice(early.length).map((round) => (
            <Column key={round.name} round={round} {...shown} />
          ))}
          <Third round={rounds.at(-1)} {...shown} />
        </div>
      ) : (
        <div className="tree tree--round mt3">
          <Column round={alone} {...shown} />
        </div>
      )}
    </>
  );
}

const timesOf = (
  { starts_at, ends_at }: Pick<CupRound, 'starts_at' | 'ends_at'>,
  timezone: string,
) => (starts_at === null || ends_at === null ? '' : windowWords({ starts_at, ends_at, timezone }));

function Column({ round, ...shown }: Shown & { round: CupRound }) {
  const times = timesOf(round, shown.timezone);
  const others = round.pairings.filter((pairing) => !isThird(pairing));
  return (
    <div className="tree__c">
      <h3>
        {round.name}
        <small>{times}</small>
      </h3>
      <Pairings pairings={others} times={times} {...shown} />
    </div>
  );
}

const isThird = ({ label }: CupPairing) => label === 'Third place';

function Third({ round, ...shown }: Shown & { round: CupRound | undefined }) {
  const third = round?.pairings.find(isThird);
  if (third === undefined) return null;
  const times = timesOf(third, shown.timezone);
  return (
    <div className="tree__c tree__third">
      <h3>
        {third.label}
        <small>{times}</small>
      </h3>
      <Pairings pairings={[third]} times={times} {...shown} />
    </div>
  );
}

function Pairings({
  pairings,
  times,
  timezone,
  now,
  of,
  hot,
}: Shown & { pairings: CupPairing[]; times: string }) {
  const kind = (pairing: CupPairing) => {
    if (hot.includes(pairing.label)) return 'm hot';
    const running = !pairing.decided && (pairing.starts_at ?? '~') <= now;
    return running ? 'm now' : 'm';
  };
  const own = (pairing: CupPairing) => {
    const time = timesOf(pairing, timezone);
    return time === times ? '' : time;
  };
  return (
    <ol>
      {pairings.map((pairing) => (
        <li key={pairing.id}>
          <div className={kind(pairing)}>
            <span className="sr">{pairing.label}</span>
            <Line side={pairing.a} pairing={pairing} at={0} />
            <Line side={pairing.b} pairing={pairing} at={1} />
            <p>{`${pairing.label}: ${pairingWords(pairing, of)}`}</p>
            {own(pairing) !== '' && <p>{own(pairing)}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Line({ side, pairing, at }: { side: CupSide; pairing: CupPairing; at: number }) {
  const won = pairing.winner !== null && pairing.winner === side.seed;
  return (
    <div className={won ? 'm__r win' : 'm__r'}>
      <i>{side.seed}</i>
      <span>
        {sideName(side)}
        {won && <span className="sr"> won</span>}
      </span>
      <b>{sumWords(pairing, at)}</b>
    </div>
  );
}
