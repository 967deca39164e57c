import type { CupPairing, CupRound, CupSide } from '#contract/wire/cups.ts';
import { pairingWords, sideName, sumWords } from './cup-words.ts';
import { dayWords, timeWords } from './words.ts';

/** The tree of a cup; `hot`: labels of pairings that need a hand. */
export function CupTree({
  rounds,
  timezone,
  now = '',
  hot = [],
}: {
  rounds: CupRound[];
  timezone: string;
  now?: string;
  hot?: string[];
}) {
  const time = ({ starts_at, ends_at }: Pick<CupRound, 'starts_at' | 'ends_at'>) =>
    starts_at === null || ends_at === null
      ? ''
      : `${dayWords(starts_at, timezone)}, ${timeWords(starts_at, timezone)} to ${timeWords(ends_at, timezone)}`;
  const kind = (pairing: CupPairing) => {
    if (hot.includes(pairing.label)) return 'm hot';
    const running = !pairing.decided && (pairing.starts_at ?? '~') <= now;
    return running ? 'm now' : 'm';
  };
  return (
    <div className="tree mt3">
      {rounds.map((round) => (
        <div className="tree__c" key={round.name}>
          <h3>
            {round.name}
            <span>{time(round)}</span>
          </h3>
          <ol>
            {round.pairings.map((pairing) => (
              <li className={kind(pairing)} key={pairing.id}>
                <span className="sr">{pairing.label}</span>
                <Line side={pairing.a} pairing={pairing} at={0} />
                <Line side={pairing.b} pairing={pairing} at={1} />
                <p>{`${pairing.label}: ${pairingWords(pairing, time(pairing))}`}</p>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </div>
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
      <b>{sumWords(pairing.sums, at)}</b>
    </div>
  );
}
