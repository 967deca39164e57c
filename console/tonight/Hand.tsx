import type { ChangedSeason, CupHand, KeptOpen, Tonight } from '#contract/wire/tonight.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { MailsTo, namesOf } from '../shell/mails.tsx';
import { seasonPath } from '../shell/paths.ts';
import { PlayersIcon } from '../ui/Icon.tsx';
import { handOf, inOrder } from '../ui/machine-words.ts';
import { HeldIcon, ReportIcon, StateIcon, WellDrawing } from '../ui/State.tsx';
import { count, when } from '../ui/times.ts';
import { keptElsewhere, keptHere } from './kept-open.ts';

function cupWords({ why, held }: CupHand): string {
  switch (why) {
    case 'changed':
      return 'A game changed after it counted: correct the tree, or leave it';
    case 'held':
      return `It waits for ${count(held, 'held game')}`;
    case 'late':
      return 'A pairing is not decided half an hour after its window';
  }
}

const CHANGED: Record<ChangedSeason['why'], string> = {
  game: 'A game changed after the season was final: correct the table, or leave it',
  ruling: 'A ruling changed after the season was final: correct the table, or leave it',
};

/** When the oldest of `number` cases arrived, and which seasons wait for them. */
function Waits({
  oldest_at,
  number,
  seasons = [],
  kind,
}: {
  oldest_at: string | null;
  number: number;
  seasons?: readonly KeptOpen[];
  kind?: 'held' | 'complaints';
}) {
  return (
    <span className="sm">
      {[
        ...(oldest_at === null
          ? []
          : [
              number === 1
                ? `It waits since ${when(oldest_at)}`
                : `The oldest waits since ${when(oldest_at)}`,
            ]),
        ...(kind === undefined ? [] : keptHere(seasons, kind, number)),
      ].join('. ')}
    </span>
  );
}

function systemRows({ mail_since, old_backup }: Tonight['system']) {
  return [
    ...(mail_since === null
      ? []
      : [{ title: 'A mail waits', about: `It has waited since ${when(mail_since)}` }]),
    ...(old_backup === null
      ? []
      : [
          old_backup.at === null
            ? { title: 'There is no backup yet', about: 'One every night is enough' }
            : { title: 'The last backup is old', about: `It was made ${when(old_backup.at)}` },
        ]),
  ];
}

/**
 * “Needs a hand” (MACH-16). First what the ball counts (HAND-C7): machines, held games, reports and
 * requests to join. Then seasons that cases of other venues keep open (SEASON-21), final seasons
 * that would change (SEASON-25), cups that wait or would change (CUP-20), and for owners a mail that
 * waits for long and an old backup (STAFF-27).
 */
export function Hand({ tonight, now }: { tonight: Tonight; now: Date }) {
  const may = useMay('manager');
  const { machines, held, reports, requests, number, mails_to } = tonight;
  const seasons = may ? tonight.seasons : [];
  const cups = may ? tonight.cups : [];
  const rows = inOrder(machines).flatMap((card) => {
    const hand = handOf(card, now);
    return hand === null ? [] : [{ card, ...hand }];
  });
  const changed = may ? tonight.changed_seasons : [];
  const elsewhere = keptElsewhere(seasons);
  const system = systemRows(tonight.system);
  if (number + elsewhere.length + changed.length + cups.length + system.length === 0) {
    const repair = machines.filter(({ state }) => state === 'repair').map(({ name }) => name);
    const well = machines.length - repair.length;
    const inRepair =
      repair.length === 0
        ? ''
        : ` ${namesOf(repair)} ${repair.length === 1 ? 'is' : 'are'} in repair.`;
    return (
      <section className="hand hand--quiet" aria-labelledby="hand">
        <h2 id="hand">Nothing needs a hand</h2>
        <p className="sm">
          {count(well, 'machine')} {well === 1 ? 'is' : 'are'} well.{inRepair}
          {may && ' The inbox is empty.'}
        </p>
        <span className="hand__ball" aria-hidden="true">
          <WellDrawing size={44} />
        </span>
      </section>
    );
  }
  return (
    <section className="hand" aria-labelledby="hand">
      <h2 id="hand">
        Needs a hand{number > 0 && <span className="sr">: {count(number, 'thing')}</span>}
      </h2>
      <ul>
        {rows.map(({ card, title, about, act }) => (
          <li key={card.id}>
            <StateIcon state={card.state} />
            <div>
              <b>{title}</b>
              <span className="sm">{about}</span>
            </div>
            {act === 'New key' && may ? (
              <Link className="btn" to={`/console/machines/${card.id}/key`}>
                New key<span className="sr"> for {card.name}</span>
              </Link>
            ) : (
              <Link className="btn" to={`/console/machines/${card.id}`}>
                Look<span className="sr"> at {card.name}</span>
              </Link>
            )}
          </li>
        ))}
        {held.count > 0 && (
          <li>
            <HeldIcon />
            <div>
              <b>{count(held.count, 'held game')}</b>
              <Waits oldest_at={held.oldest_at} number={held.count} seasons={seasons} kind="held" />
            </div>
            <Link className="btn" to="/console/inbox?show=held">
              Decide<span className="sr"> the held games</span>
            </Link>
          </li>
        )}
        {reports.count > 0 && (
          <li>
            <ReportIcon />
            <div>
              <b>{count(reports.count, 'report')} from players</b>
              <Waits
                oldest_at={reports.oldest_at}
                number={reports.count}
                seasons={seasons}
                kind="complaints"
              />
            </div>
            <Link className="btn" to="/console/inbox?show=reports">
              Read<span className="sr"> the reports</span>
            </Link>
          </li>
        )}
        {requests.count > 0 && (
          <li>
            <PlayersIcon />
            <div>
              <b>{count(requests.count, 'request')} to join a team</b>
              <Waits oldest_at={requests.oldest_at} number={requests.count} />
            </div>
            <Link className="btn" to="/console/inbox?show=requests">
              Answer<span className="sr"> the requests to join</span>
            </Link>
          </li>
        )}
        {elsewhere.map(({ id, league, name, title, about, to }) => (
          <li key={id}>
            <HeldIcon />
            <div>
              <b>{title}</b>
              <span className="sm">{about}</span>
            </div>
            <Link className="btn" to={to}>
              Look
              <span className="sr">
                {' '}
                at {name} of {league}
              </span>
            </Link>
          </li>
        ))}
        {changed.map(({ id, league_id, league, name, why }) => (
          <li key={id}>
            <HeldIcon />
            <div>
              <b>
                {name} of {league}
              </b>
              <span className="sm">{CHANGED[why]}</span>
            </div>
            <Link className="btn" to={seasonPath(league_id, id)}>
              Look
              <span className="sr">
                {' '}
                at {name} of {league}
              </span>
            </Link>
          </li>
        ))}
        {cups.map((cup) => (
          <li key={cup.id}>
            <HeldIcon />
            <div>
              <b>{cup.name}</b>
              <span className="sm">{cupWords(cup)}</span>
            </div>
            <Link className="btn" to={`/console/contests/cups/${cup.id}`}>
              Look<span className="sr"> at {cup.name}</span>
            </Link>
          </li>
        ))}
        {system.map(({ title, about }) => (
          <li key={title}>
            <HeldIcon />
            <div>
              <b>{title}</b>
              <span className="sm">{about}</span>
            </div>
            <Link className="btn" to="/console/system">
              Look<span className="sr">: {title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="hand__foot">
        <span>
          {may ? (
            <MailsTo names={mails_to} />
          ) : (
            'Nothing helps? Mark it in repair, and tell an owner.'
          )}
        </span>
      </p>
      <span className="hand__ball" aria-hidden="true">
        {number > 0 && number}
      </span>
    </section>
  );
}
