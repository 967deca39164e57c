import { useState } from 'react';
import type { ContestPage } from '#contract/wire/contests.ts';
import { AppHeader } from '../shell/AppHeader.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Page } from '../ui/Page.tsx';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import styles from './Contest.module.css';
import { useServerNow } from './clock.ts';
import { MyGames, Places, Prizes, Score } from './parts.tsx';
import { useContest } from './queries.ts';
import { Unread } from './Unread.tsx';
import { Won } from './Won.tsx';
import { beginText, rule } from './words.ts';

const BAR_PLACES = 3;

/** A player's page: the player's place, the board, the player's games, prizes (CONTEST-10). */
function Player({ query, showWon }: { query: ReturnType<typeof useContest>; showWon: () => void }) {
  const { data } = query;
  const now = useServerNow(data?.skew ?? 0);
  if (!data)
    return (
      <PanelPage title="Contest">
        <Unread query={query} />
      </PanelPage>
    );
  const { page } = data;
  const { state } = page;
  if (state === 'cancelled')
    return (
      <PanelPage title={page.name} lead={page.venue}>
        <Empty title="It is not on" text="The contest was cancelled. Your games count for you." />
      </PanelPage>
    );
  return (
    <PanelPage title={page.name} lead={`${page.venue}. ${rule(page)}`}>
      {state === 'planned' ? (
        <p className={styles.begins}>
          <b className="display">Begins {beginText(page.starts_at, new Date(now))}</b>
          Everybody who plays is in.
        </p>
      ) : (
        <>
          <Score page={page} now={now} />
          <Places page={page} />
        </>
      )}
      <MyGames page={page} />
      <Prizes page={page} />
      {placeToShow(page) !== null && <Button onClick={showWon}>Show this at the bar</Button>}
      {(state === 'planned' || state === 'running') && (
        <ShowMyCode
          className={
            state === 'running' && page.mine === null ? buttonClass('primary') : 'textlink'
          }
        />
      )}
    </PanelPage>
  );
}

/** The player's final place, if it may be shown at the bar; otherwise null. */
function placeToShow({ state, mine }: ContestPage): number | null {
  const place = mine?.place ?? null;
  return state === 'final' && place !== null && place <= BAR_PLACES ? place : null;
}

/** The page of a contest's code for a signed-in player, below League (CONTEST-10, HAND-31). */
export function PlayerContest({ code }: { code: string }) {
  const query = useContest(code);
  const [boardShown, showBoard] = useState(false);
  const { data } = query;
  const now = useServerNow(data?.skew ?? 0);
  const place = data ? placeToShow(data.page) : null;
  return (
    <Page court={false}>
      {data && place !== null && !boardShown ? (
        <Won
          page={data.page}
          place={place}
          now={now}
          asOf={query.isError ? query.dataUpdatedAt + data.skew : null}
          onBack={() => showBoard(true)}
        />
      ) : (
        <>
          <AppHeader />
          <Player query={query} showWon={() => showBoard(false)} />
        </>
      )}
    </Page>
  );
}
