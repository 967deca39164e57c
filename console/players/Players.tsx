import { useEffect, useState } from 'react';
import { SEARCH_LEAST } from '#contract/rules/players.ts';
import { searchPlayers } from '../api/calls.ts';
import { useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { Jersey } from '../ui/Jersey.tsx';
import { SEARCH_MS } from '../ui/later.ts';
import { Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Table } from '../ui/Table.tsx';
import { count, logTime } from '../ui/times.ts';
import { PLAYERS } from './keys.ts';
import { OTHER_TEAM } from './words.ts';

/** Finds players. At first lists those who played last. */
export function Players() {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  // Search when the typing pauses, without a press of the button.
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted !== '' && wanted.length < SEARCH_LEAST) return;
    const timer = setTimeout(() => setText(wanted), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const [short, setShort] = useState(false);
  const read = useRead(
    [...PLAYERS, text],
    // With its text, because the answer stays until the next one is here.
    async () => ({ ...(await searchPlayers(text)), of: text }),
    text === '' ? ['games'] : [],
    true,
    true,
  );
  return (
    <Page title="Players">
      <search>
        <form
          className="form form--row"
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = typed.trim();
            const tooShort = wanted !== '' && wanted.length < SEARCH_LEAST;
            setShort(tooShort);
            if (!tooShort) setText(wanted);
          }}
        >
          <Field
            label="Name, e-mail address or code"
            type="search"
            value={typed}
            autoComplete="off"
            spellCheck={false}
            error={short ? `Type at least ${SEARCH_LEAST} characters.` : undefined}
            onChange={(event) => {
              setTyped(event.target.value);
              setShort(false);
            }}
          />
          <Button look="primary" type="submit">
            Search
          </Button>
        </form>
      </search>
      <div className="mt4">
        <Loaded read={read} what="the players">
          {({ results, more, of }) => (
            <Panel
              title={of === '' ? 'Played last' : `${results.length}${more ? ' or more' : ''} found`}
              flush
            >
              {results.length === 0 ? (
                <div className="mt3 mb3">
                  <Note>{of === '' ? 'Nobody has played yet.' : `No player called “${of}”.`}</Note>
                </div>
              ) : (
                <Table
                  kind="players"
                  caption="Players"
                  columns={['Player', 'Team', 'Last game', ['Games', 'r'], ['High score', 'sc']]}
                >
                  {results.map((player) => (
                    <tr key={player.id}>
                      <th scope="row">
                        <span className="who">
                          {player.avatar_color && (
                            <Jersey
                              colour={player.avatar_color}
                              number={player.jersey_number ?? ''}
                              size={36}
                            />
                          )}
                          <span>
                            <Link to={`/console/players/${player.id}`}>
                              {player.username ?? 'Without a name'}
                            </Link>
                            <small>{player.address}</small>
                          </span>
                        </span>
                      </th>
                      <td data-l="Team">
                        {player.team ?? (player.other_team ? OTHER_TEAM : 'No team')}
                      </td>
                      <td data-l="Last game">
                        {player.last_played_at === null
                          ? 'None'
                          : `${logTime(player.last_played_at)}, ${player.last_machine}`}
                      </td>
                      <td className="r" data-l="Games">
                        {player.games_played.toLocaleString('en')}
                      </td>
                      <td className="sc" data-l="High score">
                        {player.highscore.toLocaleString('en')}
                      </td>
                    </tr>
                  ))}
                </Table>
              )}
              {more && (
                <p className="sm">
                  {count(results.length, 'player')} are shown. Type more of the name to see others.
                </p>
              )}
            </Panel>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
