import { useEffect, useState } from 'react';
import { LOOKED_AT, TAKEN_OUT, TAKEN_OUT_NOT_MINE } from '#contract/rules/games.ts';
import type { InboxCase } from '#contract/wire/inbox.ts';
import { type CaseDecision, decideCase, markRepair, readDecided, undoCase } from '../api/calls.ts';
import { INBOX, MACHINE, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { announce } from '../shell/announce.ts';
import { FinalSeason } from '../shell/FinalSeason.tsx';
import { Undo } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { TickIcon } from '../ui/Icon.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Failed } from '../ui/Notice.tsx';
import { HeldIcon, ReportIcon } from '../ui/State.tsx';
import { count, nightTime } from '../ui/times.ts';
import { type CardProps, useCard } from './cards.ts';
import { Plot } from './Plot.tsx';
import {
  consequenceOf,
  keyOf,
  meansOf,
  nameOf,
  reasonOf,
  settledBy,
  usual,
  VERBS,
  voidOf,
  whereOf,
} from './words.ts';

/** `461 of Maya_Banks, Hoop 5` */
const inShort = (of: InboxCase) =>
  `${of.score.toLocaleString('en')} of ${nameOf(of)}, ${of.machine}`;

/** One case. If somebody else settles it, the card says so (STAFF-32). */
export function Case({ of, gone, ...callbacks }: CardProps<InboxCase>) {
  const { item, leave, decision, decide, kept, focusFirst } = useCard<CaseDecision>(callbacks, {
    send: (how) => decideCase(of, how),
    reverse: (how) => undoCase(of, how),
    stale: [INBOX, TONIGHT],
  });
  const { made, sending } = decision;
  if (gone)
    return (
      <li className="case case--done" ref={item}>
        <Settled of={of} onHide={leave} />
      </li>
    );
  if (made !== null)
    return (
      <li className="case case--done" ref={item}>
        <Undo
          of={decision}
          done={`${VERBS[made].done}.`}
          what={`${inShort(of)}.`}
          means={meansOf(of, made)}
          more={made === 'release' || made === 'void' ? <FinalSeason week={of.week} /> : undefined}
          focusNext={focusFirst}
        />
      </li>
    );
  const report = of.kind === 'report';
  const failed = sending.isError ? sending.variables : null;
  return (
    <li className="case" ref={item}>
      <Head of={of} />
      {failed && (
        <div className="mt3">
          <Failed
            what={VERBS[failed].failed}
            error={sending.error}
            kept={kept}
            onAgain={() => decide(failed)}
          />
        </div>
      )}
      <div className={report ? 'case__b case__b--2' : 'case__b'}>
        {report ? (
          <div>
            {of.text && <p className="quote">{of.text}</p>}
            <div className={of.text ? 'mt4' : undefined}>
              <Nearby title={`On ${of.machine} around then`} of={of} />
            </div>
          </div>
        ) : (
          <>
            <Usual of={of} />
            <Nearby title="Games around it" of={of} />
          </>
        )}
        <div className="case__d">
          <div className="acts">
            {(report ? (['void', 'stands'] as const) : (['release', 'discard'] as const)).map(
              (how) => (
                <Button key={how} busy={decision.busy} onClick={() => decide(how)}>
                  {VERBS[how].button}
                  <span className="sr">
                    , {nameOf(of)}, {of.score}
                  </span>
                </Button>
              ),
            )}
          </div>
          <Consequences of={of} />
          {of.report_reason === 'machine' && <Repair of={of} />}
        </div>
      </div>
    </li>
  );
}

function Head({ of }: { of: InboxCase }) {
  const { player } = of;
  return (
    <div className="case__h">
      {of.kind === 'report' ? <ReportIcon /> : <HeldIcon />}
      <div>
        <h3 tabIndex={-1}>{reasonOf(of)}</h3>
        <p className="who">
          {player?.avatar_color && (
            <Jersey colour={player.avatar_color} number={player.jersey_number ?? ''} />
          )}
          <span>
            {player === null ? (
              <b>{nameOf(of)}</b>
            ) : (
              <Link to={`/console/players/${player.id}`}>{nameOf(of)}</Link>
            )}
            {player?.team && `, ${player.team}`}
          </span>
          <span>{whereOf(of)}</span>
        </p>
      </div>
    </div>
  );
}

function Consequences({ of }: { of: InboxCase }) {
  if (of.kind === 'held')
    return (
      <>
        <p>
          <b>Release:</b> {consequenceOf(of)}
        </p>
        <p>
          <b>Discard:</b> counts nowhere.
        </p>
      </>
    );
  return (
    <>
      <p>
        <b>Void:</b> {voidOf(of)}
      </p>
      <p>
        <b>Let it count:</b> nothing changes.
      </p>
      {of.player && (
        <p>
          {nameOf(of)} then reads at the game “
          {of.report_reason === 'not_mine' ? TAKEN_OUT_NOT_MINE : TAKEN_OUT}”, or “{LOOKED_AT}”
        </p>
      )}
    </>
  );
}

/** Marks the machine in repair or back in service, at once and without Undo. */
function Repair({ of }: { of: InboxCase }) {
  const { machine, machine_id, in_repair } = of;
  const marking = useChange((done: boolean) => markRepair(machine_id, done), {
    stale: [INBOX, TONIGHT, MACHINE],
  });
  return (
    <>
      <Button look="full" busy={marking.isPending} onClick={() => marking.mutate(in_repair)}>
        {in_repair ? `${machine} back in service` : `Mark ${machine} in repair`}
      </Button>
      {marking.isError && <Failed what="Not marked" error={marking.error} />}
      <p role="status">
        {in_repair ? (
          <>
            <b>{machine} is in repair.</b> No mails about it until you end it.
          </>
        ) : (
          <>
            <b>In repair:</b> no mails about it until you end it. The report stays.
          </>
        )}
      </p>
    </>
  );
}

/** Replaces the card of a case that somebody else has settled. */
function Settled({ of, onHide }: { of: InboxCase; onHide: () => void }) {
  // A case can be settled again after an Undo, so each time reads the decision anew.
  const [settled] = useState(Math.random);
  const { data } = useRead([...INBOX, 'decided', keyOf(of), settled], () => readDecided(of));
  const said = data && `${settledBy(data.decided, of)}.`;
  useEffect(() => {
    if (said !== undefined) announce(`${said} ${inShort(of)}`);
  }, [said, of]);
  return (
    <div className="done">
      <TickIcon />
      <div>
        <b>{said}</b> {inShort(of)}
      </div>
      <Button onClick={onHide}>
        Hide<span className="sr">, {inShort(of)}</span>
      </Button>
    </div>
  );
}

function Usual({ of }: { of: InboxCase }) {
  const range = usual(of.recent);
  return (
    <div>
      <h4>
        {range === null
          ? 'First game'
          : `Last ${count(of.recent.length, 'game')}: ${range.low} to ${range.high}, middle ${range.middle}`}
      </h4>
      <Plot scores={of.recent} score={of.score} name={nameOf(of)} />
    </div>
  );
}

function Nearby({ title, of }: { title: string; of: InboxCase }) {
  const held = of.kind === 'held';
  const elsewhere = of.nearby.some(({ machine }) => machine !== of.machine);
  const nameIn = ({ own, player, machine }: InboxCase['nearby'][number]) => {
    if (own && !held) return `This game, as ${nameOf(of)}`;
    if (own) return elsewhere ? `This game, ${machine}` : 'This game';
    const name = player ?? 'A deleted player';
    return held ? `${name}, ${machine}` : name;
  };
  return (
    <div>
      <h4>{title}</h4>
      <ul className="around mt1">
        {of.nearby.map((game) => (
          <li
            key={`${game.played_at} ${game.machine} ${game.score} ${game.own}`}
            className={game.own ? 'this' : undefined}
          >
            <span>{nightTime(game.played_at)}</span>
            <span>
              {held || game.own || game.player_id === null ? (
                nameIn(game)
              ) : (
                <Link to={`/console/players/${game.player_id}`}>{nameIn(game)}</Link>
              )}
            </span>
            <span className="num">{game.score.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
