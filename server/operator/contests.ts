import { sql } from 'kysely';
import type { ContestListed } from '#contract/wire/contests.ts';
import type { Contest } from '../contests/contests.ts';
import { correctContest, leaveContest } from '../contests/final.ts';
import {
  cancelContest,
  changeContest,
  createContest,
  repeatContest,
  stopContest,
} from '../contests/plan.ts';
import { notify } from '../db/notifications.ts';
import { authorOf, type Entry } from '../staff/audit.ts';
import { onlyAt } from '../staff/policy.ts';
import {
  listedContest,
  posterOf,
  readContestForStaff,
  readListed,
  wordsOf,
} from '../staff-pages/contests.ts';
import { type Asked, change, type Noun, read } from './command.ts';

/** What staff can change in a contest, for the audit. */
const factsOf = ({ name, starts_at, ends_at, scoring, n, prizes, only_slide }: Contest) => ({
  name,
  begins: starts_at.toISOString(),
  ends: ends_at.toISOString(),
  counts: scoring === 'first_n' ? `first ${n}` : scoring,
  prizes,
  'only slide': only_slide,
});

/** The contest after a change, for the answer. Makes the screens read it again. */
async function changed(asked: Pick<Asked<never>, 'db' | 'clock' | 'config'>, contest: Contest) {
  await notify(asked.db, { venue: [contest.venue_id] });
  return listedContest(asked, contest);
}

type Named = Pick<Asked<never>, 'db' | 'clock' | 'config' | 'find'> & { body: { contest: string } };
type Line = Omit<Entry, 'area' | 'venue_id'>;

/**
 * Changes the contest that staff name. Answers with the one that `work` returns. `overlaps`: locks
 * the venue, because otherwise two contests could take the same time.
 */
async function changing(
  asked: Named,
  work: (before: Contest, now: Date) => Promise<Line & { contest: Contest }>,
  { overlaps = false } = {},
): Promise<{ answer: ContestListed; audit: Line }> {
  const before = await asked.find.contest(asked.body.contest);
  if (overlaps) await asked.find.venue(`id:${before.venue_id}`);
  const { contest, ...line } = await work(before, asked.clock.now());
  return {
    answer: await changed(asked, contest),
    audit: { ...line, ...at(contest) },
  };
}

const at = ({ venue_id }: Contest) => ({ venue_id });

/** The commands `contest …`. */
export const contests: Noun = {
  area: 'contests',
  topics: ['contests'],
  commands: [
    read('GET /api/operator/contests/', {
      summary: 'List the contests, running ones and those to come first',
      role: 'floor',
      work: async (asked) => {
        const { policy, query, find } = asked;
        const { venue } =
          query.venue === undefined ? policy : onlyAt((await find.venue(query.venue)).id);
        const now = asked.clock.now().toISOString();
        return { now, results: await readListed(asked, venue(sql.ref('c.venue_id'))) };
      },
    }),
    read('GET /api/operator/contests/page/', {
      summary: 'Show a contest with its places, and what it waits for',
      role: 'manager',
      work: async (asked) =>
        readContestForStaff(asked, await asked.find.contest(asked.query.contest)),
    }),
    read('GET /api/operator/contests/poster/', {
      summary: 'Show what a poster of a contest says',
      role: 'floor',
      work: async (asked) => posterOf(asked, await asked.find.contest(asked.query.contest)),
    }),
    change('POST /api/operator/contests/', {
      summary: 'Make a contest',
      role: 'manager',
      work: async (asked) => {
        const { db, clock, find, body } = asked;
        const { venue: named, ...wanted } = body;
        const venue = await find.venue(named);
        const contest = await createContest(db, venue, wanted, clock.now());
        return {
          answer: await changed(asked, contest),
          audit: {
            what: `Made the contest ${contest.name}`,
            ...at(contest),
            after: factsOf(contest),
          },
        };
      },
    }),
    change('POST /api/operator/contests/change/', {
      summary: 'Change a contest',
      role: 'manager',
      work: (asked) =>
        changing(
          asked,
          async (before, now) => {
            const { contest: _named, ...wanted } = asked.body;
            const contest = await changeContest(asked.db, before, wanted, now);
            return {
              contest,
              what: `Changed the contest ${contest.name}`,
              before: factsOf(before),
              after: factsOf(contest),
            };
          },
          { overlaps: true },
        ),
    }),
    change('POST /api/operator/contests/stop/', {
      summary: 'End a running contest now',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (before, now) => {
          const contest = await stopContest(asked.db, before, now);
          return {
            contest,
            what: `Stopped the contest ${contest.name}`,
            before: { ends: before.ends_at.toISOString() },
            after: { ends: contest.ends_at.toISOString() },
          };
        }),
    }),
    change('POST /api/operator/contests/cancel/', {
      summary: 'Cancel a contest that is not final',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (before, now) => {
          const contest = await cancelContest(asked.db, before, now);
          return {
            contest,
            what: `Cancelled the contest ${contest.name}`,
            before: factsOf(before),
          };
        }),
    }),
    change('POST /api/operator/contests/again/', {
      summary: 'Make the same contest a week later',
      role: 'manager',
      work: (asked) =>
        changing(
          asked,
          async (former, now) => {
            const contest = await repeatContest(asked.db, former, now);
            return {
              contest,
              what: `Made the contest ${contest.name} again`,
              after: factsOf(contest),
            };
          },
          { overlaps: true },
        ),
    }),
    change('POST /api/operator/contests/correct/', {
      summary: "Correct a final contest's places",
      role: 'manager',
      work: async (asked) => {
        const { db, body, actor } = asked;
        let changes: string[] = [];
        const { answer, audit } = await changing(asked, async (contest, now) => {
          const { who } = authorOf(actor);
          const places = await correctContest(db, contest, body.reason, now, who);
          changes = await wordsOf(asked, places);
          return {
            contest,
            what: `Corrected the contest ${contest.name}`,
            before: { places: places.before.length },
            after: { places: places.after.length, reason: body.reason },
          };
        });
        return { answer: { contest: answer, changes }, audit };
      },
    }),
    change('POST /api/operator/contests/leave/', {
      summary: 'Leave a final contest as it is',
      role: 'manager',
      work: (asked) =>
        changing(asked, async (contest, now) => {
          await leaveContest(asked.db, contest, now);
          return { contest, what: `Left the contest ${contest.name} as it is` };
        }),
    }),
  ],
};
