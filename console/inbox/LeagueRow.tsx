import type { LeagueDecided } from '#contract/wire/inbox.ts';
import type { Ruling } from '#contract/wire/leagues.ts';
import { deleteTeam, renameTeam, reopenRequest, ruleMatchup, undoMove } from '../api/calls.ts';
import { INBOX, LEAGUES, TEAMS, TONIGHT, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { announceNow } from '../shell/announce.ts';
import { Button } from '../ui/Button.tsx';
import { Failed } from '../ui/Notice.tsx';
import { timeInLine } from '../ui/times.ts';
import { decidedParts } from './decided-words.ts';

/** Called when a request waits again. */
export type OnReopened = (account: string, team: string) => void;

/** Makes the call that reverses a decision. */
async function reverse(of: LeagueDecided, onReopened: OnReopened): Promise<unknown> {
  const { decision, league_id, before, week, reason_before: reason } = of;
  const [player, team] = [of.player?.id ?? '', of.team?.id ?? ''];
  switch (decision) {
    case 'moved':
      return undoMove([player], of.other?.id ?? null, of.team?.id ?? null);
    case 'accepted':
    case 'declined':
      await reopenRequest(team, player, of.asked_at ?? of.at);
      return onReopened(player, team);
    case 'made':
      return deleteTeam(team);
    case 'renamed':
      return renameTeam(team, before ?? '');
    case 'ruled':
      return ruleMatchup(league_id, {
        team: `id:${team}`,
        week: week ?? '',
        ruling: before as Ruling | 'none',
        ...(reason !== null && { reason }),
      });
    case 'reopened':
    case 'deleted':
      return;
  }
}

/** A decision about a league, with Undo while its reverse is possible (HAND-C11). */
export function LeagueRow({ of, onReopened }: { of: LeagueDecided; onReopened: OnReopened }) {
  const undoing = useChange(() => reverse(of, onReopened), {
    stale: [INBOX, LEAGUES, TEAMS, TONIGHT],
    onDone: () => {
      announceNow('Undone.');
      // The button disappears, and so does the row if it was about a team that was made.
      document.querySelector('h1')?.focus({ preventScroll: true });
    },
  });
  const parts = decidedParts(of);
  return (
    <li>
      <span>
        <b>
          {parts.map(({ text, to }) =>
            to === undefined ? (
              text
            ) : (
              <Link key={to} to={to}>
                {text}
              </Link>
            ),
          )}
        </b>
        <small>
          {of.by}, {timeInLine(of.at)}.
        </small>
        {undoing.isError && <Failed what="Not undone" error={undoing.error} />}
      </span>
      {of.undo && (
        <Button busy={undoing.isPending} onClick={() => undoing.mutate(undefined)}>
          Undo<span className="sr"> “{parts.map(({ text }) => text).join('')}”</span>
        </Button>
      )}
    </li>
  );
}
