import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AUDIT_AREAS, AUDIT_DAYS, AUDIT_PAGE, type AuditArea } from '#contract/rules/staff.ts';
import type { AuditRow } from '#contract/wire/audit.ts';
import { type AuditFilter, auditExport, listAudit } from '../api/calls.ts';
import { Link, useLocation } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Skeleton } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';
import { logTime } from '../ui/times.ts';
import { changesOf, gameOf } from './audit-words.ts';

const AREA_NAMES: Record<AuditArea, string> = {
  games: 'Games',
  machines: 'Machines',
  leagues: 'Leagues and teams',
  contests: 'Contests',
  players: 'Players',
  screens: 'Screens',
  staff: 'Staff',
  system: 'System',
};

function Difference({ before, after }: Pick<AuditRow, 'before' | 'after'>) {
  const game = gameOf(after);
  return (
    <span className="diff">
      {game !== null && `${game}. `}
      {changesOf({ before, after }).map(({ name, was, now }, at) => (
        <span key={name}>
          {at > 0 && '; '}
          {name}
          {was !== undefined && (
            <>
              {' '}
              <s>
                <span className="sr">was </span>
                {was}
              </s>
            </>
          )}
          {now !== undefined && (
            <>
              {' '}
              <b>
                {was !== undefined && <span className="sr">now </span>}
                {now}
              </b>
            </>
          )}
        </span>
      ))}
    </span>
  );
}

/** The audit, newest first, for owners (STAFF-06). */
export function Audit() {
  const { venues } = useMe();
  const { query } = useLocation();
  const player = query.get('player') ?? '';
  const [chosen, setFilter] = useState<AuditFilter>({});
  const filter = { ...chosen, player };
  const read = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => listAudit(filter, pageParam === '' ? undefined : pageParam),
    initialPageParam: '',
    getNextPageParam: (last) =>
      last.results.length < AUDIT_PAGE ? undefined : last.results.at(-1)?.id,
    placeholderData: (before) => before,
    // No event says that a line was written.
    staleTime: 0,
  });
  const lines = read.data?.pages.flatMap(({ results }) => results) ?? [];
  const first = read.data?.pages[0];
  const set = (change: AuditFilter) => setFilter({ ...chosen, ...change });
  return (
    <Page
      title="Audit"
      about={`Kept for ${AUDIT_DAYS} days. Nobody can change it, not even from the command line.`}
      back={{ to: '/console/staff', name: 'Staff' }}
      actions={
        <a className="btn" href={auditExport(filter)} download>
          Save as CSV
        </a>
      }
    >
      <form className="form form--filter noprint" onSubmit={(event) => event.preventDefault()}>
        <Select
          label="Who"
          value={filter.who ?? ''}
          onChange={(event) => set({ who: event.target.value })}
        >
          <option value="">Everybody</option>
          {first?.people.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Select
          label="What"
          value={filter.area ?? ''}
          onChange={(event) =>
            set({ area: AUDIT_AREAS.find((area) => area === event.target.value) })
          }
        >
          <option value="">Everything</option>
          {AUDIT_AREAS.map((area) => (
            <option key={area} value={area}>
              {AREA_NAMES[area]}
            </option>
          ))}
        </Select>
        {venues.length > 1 && (
          <Select
            label="Venue"
            value={filter.venue ?? ''}
            onChange={(event) => set({ venue: event.target.value })}
          >
            <option value="">All venues</option>
            {venues.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Field
          label="From"
          type="date"
          value={filter.from ?? ''}
          onChange={(event) => set({ from: event.target.value })}
        />
        <Field
          label="To"
          type="date"
          value={filter.to ?? ''}
          onChange={(event) => set({ to: event.target.value })}
        />
      </form>
      <p className="sm mt2 mb4 noprint">“From” and “To” are days in UTC.</p>
      {player !== '' && (
        <p className="sm mb4 noprint">
          Only lines about one player. <Link to="/console/staff/audit">Show all</Link>
        </p>
      )}
      {read.isError && (
        <Failed
          what="Cannot show the audit"
          error={read.error}
          onAgain={() => void read.refetch()}
        />
      )}
      {read.isPending && <Skeleton what="the audit" lines={8} />}
      {first && (
        <Panel
          title={`${lines.length.toLocaleString('en')} of ${first.total.toLocaleString('en')}`}
          flush
        >
          {lines.length === 0 ? (
            <p className="sm mt2 mb3">
              No line matches. Widen the days, or choose everybody and everything.
            </p>
          ) : (
            <Lines lines={lines} />
          )}
          {read.hasNextPage && (
            <div className="mt3 mb3">
              <Button busy={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
                Show older
              </Button>
            </div>
          )}
        </Panel>
      )}
    </Page>
  );
}

function Lines({ lines }: { lines: AuditRow[] }) {
  return (
    <Table
      kind="audit"
      caption="Audit log, newest first"
      columns={['When', 'Who', ['What', 'full'], ['Before and after', 'full']]}
    >
      {lines.map(({ id, at, who, what, venue, before, after }) => (
        <tr key={id}>
          <td data-l="When">
            <time className="nw" dateTime={at}>
              {logTime(at)}
            </time>
          </td>
          <td data-l="Who">{who}</td>
          <th scope="row" className="full">
            {what}
            {venue !== null && <small>{venue}</small>}
          </th>
          <td className="full" data-l="Before and after">
            <Difference before={before} after={after} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
