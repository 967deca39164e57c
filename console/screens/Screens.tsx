import { useEffect, useState } from 'react';
import { CODE_LENGTH, CODE_LETTERS, isCode, typedCode } from '#contract/rules/short-code.ts';
import type { ScreenRow } from '#contract/wire/screens.ts';
import { serverNow } from '../../web/ui/server-clock.ts';
import { addScreen, findWaiting, listScreens } from '../api/calls.ts';
import { sentenceOf } from '../api/client.ts';
import { useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { useVenue, VenueSelect } from '../session/venue.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { OffIcon, OnIcon, ScreenIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count, when } from '../ui/times.ts';
import { SCREENS } from './keys.ts';
import { NoticePanel, noticeField } from './NoticePanel.tsx';
import { Preview, useShown } from './Preview.tsx';

/** The screens, and a form to pair a television. */
export function Screens() {
  const list = useRead(SCREENS, listScreens, ['screens']);
  const { venue } = useVenue();
  const shown = (list.data?.results ?? []).filter(
    ({ venue_id }) => venue === null || venue_id === venue,
  );
  return (
    <Page
      title="Screens"
      about={`${shown.length} paired`}
      actions={
        <>
          <VenueSelect />
          {shown[0] && <WriteNotice venue={shown[0].venue_id} />}
        </>
      }
    >
      <div className="cols cols--wide">
        <div className="col">
          <Loaded read={list} what="the screens">
            {() => <Paired screens={shown} />}
          </Loaded>
        </div>
        <div className="col">
          <NoticePanel screens={list.data?.results ?? []} venue={venue} />
          <PairPanel />
        </div>
      </div>
    </Page>
  );
}

/** Focuses a venue's notice input. Only on phones, where the input is far down. */
function WriteNotice({ venue }: { venue: string }) {
  return (
    <Button className="p-only" onClick={() => document.getElementById(noticeField(venue))?.focus()}>
      Write a notice
    </Button>
  );
}

function Paired({ screens }: { screens: ScreenRow[] }) {
  const first = screens.find(({ live }) => live) ?? screens[0];
  if (first === undefined)
    return (
      <Note>
        No screens yet. Open {window.location.host}/screen on a television. Once it is paired, you
        can put a notice on it here.
      </Note>
    );
  return (
    <>
      <Panel title="Paired" flush>
        <ul className="rows rows--i mt2">
          {screens.map((screen) => (
            <li key={screen.id}>
              <ScreenIcon />
              <span>
                <b>{screen.name}</b>
                <small>
                  {screen.venue}
                  {screen.width !== null && `, ${screen.width} × ${screen.height}`}
                </small>
                <State screen={screen} />
              </span>
              <Link className="btn" to={`/console/screens/${screen.id}`}>
                Edit<span className="sr"> {screen.name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
      <Now screen={first} />
    </>
  );
}

function State({ screen: { paired, live, last_seen_at } }: { screen: ScreenRow }) {
  if (live)
    return (
      <span className="st">
        <OnIcon />
        On
      </span>
    );
  const since = last_seen_at === null ? '' : ` since ${when(last_seen_at)}`;
  return (
    <>
      <span className="st st--off">
        <OffIcon />
        {paired ? `Off or away${since}` : 'Paired: its television starts in a few seconds'}
      </span>
      {!paired && <small>Still waiting? Press Edit, unpair it, and pair it again.</small>}
      {paired && last_seen_at !== null && (
        <small>
          If it is only offline, it shows what it knew at {when(last_seen_at)}, and says so.
        </small>
      )}
    </>
  );
}

function Now({ screen }: { screen: ScreenRow }) {
  const preview = useShown(screen.id);
  return (
    <Panel
      title={screen.live ? `On ${screen.name} now` : `What ${screen.name} shows when it is on`}
    >
      <div className="mt3">
        <Loaded read={preview} what="the preview">
          {(payload) => <Preview payload={payload} steps />}
        </Loaded>
      </div>
      <p className="sm mt3">
        The slides take turns, so the television may be showing another one. “A player” is under
        age, or did not want the name on screens. That is set by the player, never here.
      </p>
    </Panel>
  );
}

/** What is wrong with a typed code, or null. */
function missingOf(code: string): string | null {
  if (code === '') return 'Type the six characters on the screen.';
  if (![...code].every((one) => CODE_LETTERS.includes(one)))
    return 'A code has letters and digits, without 0, O, 1, I and L.';
  const left = CODE_LENGTH - code.length;
  if (left < 0) return 'That is too long. The screen shows six characters.';
  return left === 0 ? null : `Type ${count(left, 'more character')}.`;
}

function PairPanel() {
  const { venues } = useMe();
  const { venue: chosen } = useVenue();
  const [typed, setTyped] = useState('');
  const [name, setName] = useState('');
  /** Null until picked here: the page's venue may change. */
  const [picked, setPicked] = useState<string | null>(null);
  const venue = picked ?? chosen ?? venues[0]?.id ?? '';
  const code = typedCode(typed);
  // The QR code on a television opens this page with `?pair` (HAND-C15).
  useEffect(() => {
    if (location.search === '?pair') document.getElementById('pairing')?.focus();
  }, []);
  const finding = useChange(findWaiting);
  const adding = useChange(addScreen, {
    stale: [SCREENS],
    onDone: () => {
      setTyped('');
      setName('');
      setPicked(null);
      finding.reset();
    },
  });

  function type(text: string): void {
    setTyped(text);
    adding.reset();
    const now = typedCode(text);
    if (now.length === CODE_LENGTH && isCode(now)) finding.mutate(now);
    else finding.reset();
  }

  const found = finding.data;
  const missing = missingOf(code);
  return (
    <Panel title="Pair a screen">
      <ol className="steps">
        <li>
          <span>
            On the TV, open <b>{window.location.host}/screen</b>
          </span>
        </li>
        <li>
          <span>Type the 6 characters that it shows. Good for 15 minutes.</span>
        </li>
      </ol>
      <form
        className="form mt4"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing !== null) document.getElementById('pairing')?.focus();
          else if (!adding.isPending)
            adding.mutate({ code, venue, ...(name.trim() === '' ? {} : { name }) });
        }}
      >
        <div className="field">
          <label htmlFor="pairing">Code on the screen</label>
          <input
            className="input codein"
            id="pairing"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={CODE_LENGTH + 2}
            value={typed}
            onChange={(event) => type(event.target.value)}
            aria-describedby="pairing-found"
          />
          <p className="help" id="pairing-found" role="status">
            {found !== undefined &&
              `Found: ${found.width === null ? 'a television' : `${found.width} × ${found.height}`}, waiting for ${waited(found.waiting_since)}.`}
            {finding.isError && sentenceOf(finding.error)}
            {adding.data !== undefined && typed === '' && `${adding.data.name} is paired.`}
          </p>
        </div>
        <Field
          label="Name"
          value={name}
          placeholder="Window"
          maxLength={60}
          onChange={(event) => setName(event.target.value)}
        />
        <Select label="Venue" value={venue} onChange={(event) => setPicked(event.target.value)}>
          {venues.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        {adding.isError && <Failed what="Not paired" error={adding.error} />}
        <div>
          <Button
            look="primary full"
            type="submit"
            busy={missing !== null || adding.isPending}
            aria-describedby="pairing-missing"
          >
            Pair
          </Button>
          <p className="sm mt2" id="pairing-missing">
            {adding.data !== undefined && typed === '' ? '' : missing}
          </p>
        </div>
      </form>
    </Panel>
  );
}

const waited = (since: string) =>
  count(Math.max(1, Math.round((serverNow() - Date.parse(since)) / 60_000)), 'minute');
