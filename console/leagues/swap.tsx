import { useState } from 'react';
import type { Matchup, ScheduleWeek } from '#contract/wire/leagues.ts';
import type { SeasonForStaff } from '#contract/wire/seasons.ts';
import { swapOpponents } from '../api/calls.ts';
import { LEAGUES } from '../api/queries.ts';
import { Undo, useDecision } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { Failed } from '../ui/Notice.tsx';
import { shortDay } from './words.ts';

/** In a week, `team` meets `opponent` in place of `former`. */
type Swap = { week: string; team: string; opponent: string; former: string };

/**
 * Swaps opponents in a coming week, with two taps: on a matchup, then on the new one (HAND-C1).
 * `done` shows the swap with Undo. `ofMatchup` and `ofBye` are the buttons beside a matchup and a
 * bye. `focusWeeks` takes the focus when Undo goes.
 */
export function useSwap(
  league: string,
  { current_week, state }: SeasonForStaff['season'],
  focusWeeks: () => void,
) {
  /** The first tap. */
  const [chosen, setChosen] = useState<{ week: string; matchup: Matchup } | null>(null);
  const swap = useDecision<Swap>({
    send: ({ week, team, opponent }) => swapOpponents(league, { week, team, opponent }),
    reverse: ({ week, team, former }) => swapOpponents(league, { week, team, opponent: former }),
    stale: [LEAGUES],
    onMade: () => setChosen(null),
  });
  const { made, sending } = swap;
  const offer = ({ from }: ScheduleWeek, opponent: string) => {
    if (chosen?.week !== from) return null;
    const { home: team, away: former } = chosen.matchup;
    return (
      <Button
        key={opponent}
        look="txt"
        busy={sending.isPending}
        onClick={() => swap.decide({ week: from, team, opponent, former })}
      >
        {team} v {opponent}
      </Button>
    );
  };
  return {
    done: (
      <>
        {sending.isError && (
          <Failed
            what="Not swapped"
            error={sending.error}
            onAgain={() => swap.decide(sending.variables)}
          />
        )}
        {made !== null && (
          <div className="rows">
            <Undo
              key={`${made.week} ${made.team}`}
              of={swap}
              done={`${made.team} meet ${made.opponent} in the week from ${shortDay(made.week)}.`}
              means={`${made.former} took the place of ${made.opponent}.`}
              focusNext={focusWeeks}
            />
          </div>
        )}
      </>
    ),
    ofBye: (week: ScheduleWeek, team: string) => offer(week, team),
    ofMatchup: (week: ScheduleWeek, matchup: Matchup) => {
      const { from, matchups, bye, postponed } = week;
      const isOpen = from > current_week && state !== 'final' && postponed === undefined;
      if (!isOpen || (matchups.length < 2 && bye === null)) return null;
      const { home, away } = matchup;
      if (chosen?.week === from && chosen.matchup.home !== home)
        return [offer(week, home), offer(week, away)];
      const isChosen = chosen?.week === from;
      return (
        <Button
          look="txt"
          aria-pressed={isChosen}
          onClick={() => setChosen(isChosen ? null : { week: from, matchup })}
        >
          {isChosen ? 'Cancel' : 'Swap'}
          <span className="sr">
            {' '}
            of {home} against {away}
          </span>
        </Button>
      );
    },
  };
}
