import { useEffect, useRef, useState } from 'react';
import { ROSTER_BYTES } from '#contract/rules/leagues.ts';
import { decodeRoster } from '#contract/rules/roster-text.ts';
import type { RosterAnswer } from '#contract/wire/leagues.ts';
import { importRoster, readLeague } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { LEAGUES, leagueKey, TEAMS, useChange, useRead } from '../api/queries.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { AlertIcon } from '../ui/Icon.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';
import { count } from '../ui/times.ts';

type File = { name: string; csv: string };
type Wrong = { line: number; problem: string };

function refusalOf(error: unknown): { rows: Wrong[]; newTeams: string[] } {
  const body = error instanceof ApiError ? (error.body as Record<string, unknown>) : undefined;
  const rows = Array.isArray(body?.rows) ? (body.rows as Wrong[]) : [];
  const newTeams = Array.isArray(body?.new_teams) ? (body.new_teams as string[]) : [];
  return { rows, newTeams };
}

/** Imports teams and players from a file, all rows or none (OPS-05). */
export function Import({ id }: { id: string }) {
  const league = useRead(leagueKey(id), () => readLeague(id), ['weeks']);
  const [file, setFile] = useState<File | null>(null);
  const importing = useChange(
    ({ csv, newTeams }: { csv: string; newTeams: boolean }) => importRoster(id, csv, newTeams),
    { stale: [LEAGUES, TEAMS] },
  );
  const choose = async (chosen: Blob & { name: string }) => {
    const csv = decodeRoster(new Uint8Array(await chosen.arrayBuffer()));
    setFile({ name: chosen.name, csv });
    importing.mutate({ csv, newTeams: false });
  };
  return (
    <Page
      title="Import players"
      about={league.data?.name}
      back={{ to: `/console/leagues/${id}`, name: league.data?.name ?? 'League' }}
    >
      <Loaded read={league} what="the league">
        {() => (
          <div className="cols">
            <div className="col">
              <Result
                file={file}
                importing={importing}
                onChoose={(chosen) => void choose(chosen)}
                onNewTeams={() => file && importing.mutate({ csv: file.csv, newTeams: true })}
              />
            </div>
            <div className="col">
              <TheFile />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

type Importing = {
  status: 'idle' | 'pending' | 'error' | 'success';
  data: RosterAnswer | undefined;
  error: Error | null;
};

/** An input for the file. After an import, shows its errors or figures and focuses the heading. */
function Result({
  file,
  importing,
  onChoose,
  onNewTeams,
}: {
  file: File | null;
  importing: Importing;
  onChoose: (file: Blob & { name: string }) => void;
  onNewTeams: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { status, data, error } = importing;
  useEffect(() => {
    if (status === 'error' || status === 'success') heading.current?.focus();
  }, [status]);
  const { rows, newTeams } = refusalOf(error);
  const lines = file?.csv.replace(/^\ufeff/, '').split(/\r\n|\n|\r/) ?? [];
  const name = <span className="b">{file?.name}</span>;
  const title =
    status === 'success'
      ? 'Imported'
      : rows.length > 0
        ? `${count(rows.length, 'row')} ${rows.length === 1 ? 'is' : 'are'} wrong`
        : newTeams.length > 0
          ? count(newTeams.length, 'new team')
          : 'Choose a file';
  return (
    <section className="panel" aria-labelledby="result">
      <h2 id="result" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {status === 'success' && data && (
        <p className="mt3">
          <b>
            {data.players_added.toLocaleString('en')} added,{' '}
            {data.players_moved.toLocaleString('en')} moved, {data.unchanged.toLocaleString('en')}{' '}
            unchanged.
          </b>{' '}
          {data.teams_created > 0 && `${count(data.teams_created, 'team')} made.`}
        </p>
      )}
      {rows.length > 0 && (
        <>
          <div className="notice notice--bad mt3">
            <AlertIcon />
            <div>
              <b>Nothing was imported.</b> Mend {rows.length === 1 ? 'this line' : 'these lines'} of{' '}
              {name} and choose the file again.
            </div>
          </div>
          <Table
            caption="Wrong rows"
            columns={['Line', ['It says', 'full'], ['What is wrong', 'full']]}
          >
            {rows.map(({ line, problem }) => (
              <tr key={`${line} ${problem}`}>
                <th scope="row">
                  <span className="nw">Line {line}</span>
                </th>
                <td className="full" data-l="It says">
                  <code>{lines[line - 1]}</code>
                </td>
                <td className="full" data-l="What is wrong">
                  {problem}
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
      {newTeams.length > 0 && (
        <p className="mt3">
          <b>Nothing was imported yet.</b> {name} names {newTeams.length === 1 ? 'a team' : 'teams'}{' '}
          that the league does not have: {newTeams.map((team) => `“${team}”`).join(', ')}. Spelt
          another way is another team.
        </p>
      )}
      {status === 'error' && rows.length === 0 && newTeams.length === 0 && (
        <Failed what="Not imported" error={error} />
      )}
      {status === 'idle' && (
        <p className="sm mt2">
          A CSV file, at most {ROSTER_BYTES / 1024} kB, from any spreadsheet.
        </p>
      )}
      <div className="acts mt4">
        {newTeams.length > 0 && (
          <Button look="primary" onClick={onNewTeams}>
            Make {newTeams.length === 1 ? 'it' : 'them'} and import
          </Button>
        )}
        <label className={`btn btn--file ${newTeams.length > 0 ? '' : 'btn--primary'}`}>
          {status === 'pending'
            ? 'Reading the file'
            : file === null
              ? 'Choose the file'
              : 'Choose the file again'}
          <input
            type="file"
            accept=".csv,.txt,.tsv,text/csv"
            onChange={(event) => {
              const [chosen] = event.target.files ?? [];
              // Clear the input, so that the same file can be chosen again.
              event.target.value = '';
              if (chosen && status !== 'pending') onChoose(chosen);
            }}
          />
        </label>
      </div>
    </section>
  );
}

const TheFile = () => (
  <Panel title="The file">
    <p className="sm mt2">
      A row for each player: team, address. A first row may name the columns.
    </p>
    <div className="cmd cmd--block mt3">
      <code>
        team,email
        <br />
        Air Ballers,jo-jo@example.com
        <br />
        Net Profits,banksy@example.com
      </code>
    </div>
    <ul className="rows rows--plain mt3">
      <li>
        <b>All or nothing</b>
        <small>One wrong row, and nothing is imported.</small>
      </li>
      <li>
        <b>New teams are made only after you confirm them</b>
        <small>A name with another spelling is another team.</small>
      </li>
      <li>
        <b>Players who are not in it stay</b>
        <small>The same file again changes nothing.</small>
      </li>
    </ul>
  </Panel>
);
