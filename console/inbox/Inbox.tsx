import { useRef, useState } from 'react';
import type { InboxCase } from '#contract/inbox.ts';
import { type Decision, decideCase, readInbox } from '../api/calls.ts';
import { INBOX, TONIGHT, useChange, useRead } from '../api/queries.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { HeldIcon, ReportIcon } from '../ui/State.tsx';
import { clockTime, count, when } from '../ui/times.ts';
import { Undo } from '../ui/Undo.tsx';
import { Plot } from './Plot.tsx';
import { consequenceOf, reasonOf, usual } from './words.ts';

/** The verb of each decision, on its button and in the line that replaces the card. */
const VERBS: Record<Decision, { button: string; done: string; failed: string }> = {
  release: { button: 'Release', done: 'Released', failed: 'Not released' },
  discard: { button: 'Discard', done: 'Discarded', failed: 'Not discarded' },
  void: { button: 'Void', done: 'Voided', failed: 'Not voided' },
  stands: { button: 'Stands', done: 'Left as it is', failed: 'Not settled' },
};

const keyOf = ({ kind, game }: InboxCase) => `${kind} ${game}`;
const nameOf = ({ player }: InboxCase) =>
  player === null ? 'A deleted player' : (player.username ?? 'A player without a name');

/** Held games and reports, oldest first. What is decided is sent after ten seconds (OPS-17). */
export function Inbox() {
  const read = useRead(INBOX, readInbox, ['held', 'reports']);
  const all = read.data;
  const held = all?.results.filter(({ kind }) => kind === 'held') ?? [];
  const reports = all?.results.filter(({ kind }) => kind === 'report') ?? [];
  return (
    <Page
      title="Inbox"
      about={
        all &&
        `${count(held.length, 'held game')}, ${count(reports.length, 'report')}. What you decide can be undone for 10 seconds.`
      }
    >
      <Loaded read={read} what="the inbox">
        {({ results, total }) => (
          <>
            {results.length === 0 && (
              <Note>
                Nothing to judge. Games are held when a score or a number of games is unusual;
                players report a game from their list.
              </Note>
            )}
            <Cases title="Held games" id="held" cases={held} />
            <Cases title="Reports from players" id="reports" cases={reports} />
            {total > results.length && (
              <p className="sm">
                {count(total - results.length, 'more case')} after these, as soon as they are
                judged.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Cases({ title, id, cases }: { title: string; id: string; cases: InboxCase[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  if (cases.length === 0) return null;
  return (
    <section className="mt4" aria-labelledby={id}>
      <h2 className="cases__h" id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <ul className="col">
        {cases.map((one) => (
          <Case key={keyOf(one)} of={one} onSent={() => heading.current?.focus()} />
        ))}
      </ul>
    </section>
  );
}

function Case({ of, onSent }: { of: InboxCase; onSent: () => void }) {
  const [chosen, setChosen] = useState<Decision | null>(null);
  const deciding = useChange(
    ({ decision, keepalive }: { decision: Decision; keepalive: boolean }) =>
      decideCase(of.game, decision, keepalive),
    { stale: [INBOX, TONIGHT] },
  );
  const send = (decision: Decision, keepalive: boolean) => {
    deciding.mutate({ decision, keepalive }, { onError: () => setChosen(null) });
    if (!keepalive && document.activeElement?.closest('.done')) onSent();
  };
  if (chosen !== null)
    return (
      <li className="case case--done">
        <Undo onUndo={() => setChosen(null)} onSend={(keepalive) => send(chosen, keepalive)}>
          <b>{VERBS[chosen].done}</b>: {nameOf(of)}, {of.score.toLocaleString('en')} on {of.machine}
        </Undo>
      </li>
    );
  const report = of.kind === 'report';
  const choices: Decision[] = report ? ['void', 'stands'] : ['release', 'discard'];
  const failed = deciding.isError ? deciding.variables.decision : null;
  return (
    <li className="case">
      <div className="case__h">
        {report ? <ReportIcon /> : <HeldIcon />}
        <div>
          <h3>{reasonOf(of)}</h3>
          <p className="who">
            {of.player?.avatar_color && (
              <Jersey colour={of.player.avatar_color} number={of.player.jersey_number ?? ''} />
            )}
            <span>
              <b>{nameOf(of)}</b>
              {of.player?.team && `, ${of.player.team}`}
            </span>
            <span>
              {of.machine}, {when(of.played_at)}
              {report && `, reported ${when(of.since)}`}
            </span>
          </p>
        </div>
      </div>
      {failed && deciding.variables && (
        <Failed
          what={VERBS[failed].failed}
          error={deciding.error}
          kept="Nothing has changed."
          onAgain={() => deciding.mutate({ decision: failed, keepalive: false })}
        />
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
            {choices.map((decision) => (
              <button
                key={decision}
                className="btn"
                type="button"
                aria-disabled={deciding.isPending || undefined}
                onClick={() => deciding.isPending || setChosen(decision)}
              >
                {VERBS[decision].button}
                <span className="sr">
                  , {nameOf(of)}, {of.score}
                </span>
              </button>
            ))}
          </div>
          {report ? (
            <>
              <p>
                <b>Void:</b> out of every figure; can be restored.
              </p>
              <p>
                <b>Stands:</b> nothing changes.
              </p>
              <p>{nameOf(of)} is told which.</p>
            </>
          ) : (
            <>
              <p>
                <b>Release:</b> {consequenceOf(of)}
              </p>
              <p>
                <b>Discard:</b> counts nowhere, for good.
              </p>
            </>
          )}
        </div>
      </div>
    </li>
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
  return (
    <div>
      <h4>{title}</h4>
      <ul className="around mt1">
        {of.nearby.map((game) => (
          <li
            key={`${game.played_at} ${game.machine} ${game.score} ${game.own}`}
            className={game.own ? 'this' : undefined}
          >
            <span>{clockTime(game.played_at)}</span>
            <span>
              {game.own ? 'This game' : (game.player ?? 'A deleted player')}, {game.machine}
            </span>
            <span className="num">{game.score.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
