import { useState } from 'react';
import type { Matchup, ScheduleWeek } from '#contract/wire/leagues.ts';
import type { SeasonForStaff } from '#contract/wire/seasons.ts';
import { swapOpponents } from '../api/calls.ts';
import { LEAGUES } from '../api/queries.ts';
import { Undo, useDecision } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { Failed } from '../ui/Notice.tsx';

/**
 * In a week, `team` meets `opponent` instead of `former`. `former` then meets `other`; null: a bye.
 */
type Swap = { week: string; team: string; opponent: string; former: string; other: string | null };

/**
 * The teams that `home` could meet in place of `away`, each with its opponent, or null for a bye.
 */
const othersOf = (
  { matchups, bye }: ScheduleWeek,
  { home }: Matchup,
): [string, string | null][] => [
  ...matchups.flatMap((one): [string, string][] =>
    one.home === home
      ? []
      : [
          [one.home, one.away],
          [one.away, one.home],
        ],
  ),
  ...(bye === null ? [] : [[bye, null] as [string, null]]),
];

/**
 * Swaps opponents in a coming week, with two taps: on a matchup, then on the new opponent
 * (HAND-C1). `ofMatchup` returns the button for the first tap, `choices` those for the second, and
 * `ofWeek` the swap that was made, with Undo. `focusWeeks` moves the focus when Undo disappears.
 */
export function useSwap(
  league: string,
  { current_week, state }: SeasonForStaff['season'],
  focusWeeks: () => void,
) {
  /** The first tap. */
  const [chosen, setChosen] = useState<{ week: string; home: string } | null>(null);
  const swap = useDecision<Swap>({
    send: ({ week, team, opponent }) => swapOpponents(league, { week, team, opponent }),
    reverse: ({ week, team, former }) => swapOpponents(league, { week, team, opponent: former }),
    stale: [LEAGUES],
    onMade: () => setChosen(null),
  });
  const { made, sending } = swap;
  const isChosen = ({ from }: ScheduleWeek, { home }: Matchup) =>
    chosen?.week === from && chosen.home === home;
  return {
    ofWeek: ({ from }: ScheduleWeek) => (
      <>
        {sending.isError && sending.variables.week === from && (
          <Failed
            what="Not swapped"
            error={sending.error}
            onAgain={() => swap.decide(sending.variables)}
          />
        )}
        {made !== null && made.week === from && (
          <Undo
            of={swap}
            done={`${made.team} meet ${made.opponent}.`}
            means={
              made.other === null
                ? `${made.former} have a bye.`
                : `${made.former} meet ${made.other}.`
            }
            focusNext={focusWeeks}
          />
        )}
      </>
    ),
    ofMatchup: (week: ScheduleWeek, matchup: Matchup) => {
      const isOpen = week.from > current_week && state !== 'final' && week.postponed === undefined;
      if (!isOpen || othersOf(week, matchup).length === 0) return null;
      const is = isChosen(week, matchup);
      const { home, away } = matchup;
      return (
        <Button
          look="txt"
          aria-expanded={is}
          onClick={() => setChosen(is ? null : { week: week.from, home })}
        >
          {is ? 'Cancel' : 'Swap'}
          <span className="sr">
            {' '}
            of {home} against {away}
          </span>
        </Button>
      );
    },
    choices: (week: ScheduleWeek, matchup: Matchup) =>
      isChosen(week, matchup) && (
        <span className="fixture__c">
          <span>{matchup.home} meet instead:</span>
          {othersOf(week, matchup).map(([opponent, other]) => (
            <Button
              key={opponent}
              busy={swap.busy}
              onClick={() =>
                swap.decide({
                  ...{ week: week.from, team: matchup.home, former: matchup.away },
                  ...{ opponent, other },
                })
              }
            >
              {opponent}
            </Button>
          ))}
        </span>
      ),
  };
}
