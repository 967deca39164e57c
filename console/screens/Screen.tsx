import { useState } from 'react';
import { aloneUntil } from '#contract/rules/contests.ts';
import {
  SECONDS_MAX,
  SECONDS_MIN,
  SLIDE_LABELS,
  type SlideSetting,
} from '#contract/rules/screens.ts';
import type { ScreenAnswer, ScreenRow } from '#contract/wire/screens.ts';
import { changeScreen, listScreens, removeScreen } from '../api/calls.ts';
import { useChange, useRead } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes } from '../shell/until.ts';
import { AskDialog } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Check, Field, Select } from '../ui/Field.tsx';
import { DownIcon, UpIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { clockTime } from '../ui/times.ts';
import { SCREENS } from './keys.ts';
import { OwnNotice } from './NoticePanel.tsx';
import { Preview, useShown } from './Preview.tsx';

const BACK = { to: '/console/screens', name: 'Screens' };

export function Screen({ id }: { id: string }) {
  const list = useRead(SCREENS, listScreens, ['screens']);
  const screen = list.data?.results.find((one) => one.id === id);
  if (screen === undefined)
    return (
      <Page title="Screen" back={BACK}>
        <Loaded read={list} what="the screen">
          {() => <Note>There is no such screen. It may have been unpaired.</Note>}
        </Loaded>
      </Page>
    );
  return (
    <Page title={screen.name} about={`Screen at ${screen.venue}`} back={BACK}>
      <div className="cols cols--wide">
        <div className="col">
          <PreviewPanel screen={screen} />
        </div>
        <div className="col">
          <Slides key={`slides ${JSON.stringify(screen.slides)}`} screen={screen} />
          <OwnNotice screen={screen} />
          <Settings key={`${screen.name} ${screen.venue_id} ${screen.still}`} screen={screen} />
        </div>
      </div>
    </Page>
  );
}

function PreviewPanel({ screen: { id } }: { screen: ScreenRow }) {
  const preview = useShown(id);
  return (
    <Panel title="Preview">
      <div className="mt3">
        <Loaded read={preview} what="the preview">
          {(payload) => (
            <div className="col">
              <Alone payload={payload} />
              <div>
                <Preview payload={payload} steps />
              </div>
            </div>
          )}
        </Loaded>
      </div>
    </Panel>
  );
}

/** Says which contest is shown alone, and until when (CONTEST-09). */
function Alone({ payload: { contests, slides } }: { payload: ScreenAnswer }) {
  const now = useMinutes().getTime();
  if (!slides.some(({ slide }) => slide === 'contest')) return null;
  const alone = contests.find(
    ({ only, starts_at, ends_at, final_at }) =>
      only && final_at === null && Date.parse(starts_at) <= now && now < aloneUntil(ends_at),
  );
  if (alone === undefined) return null;
  const last = new Date(aloneUntil(alone.ends_at)).toISOString();
  return (
    <Note>
      {`Only “${alone.name}” is shown, as staff chose for it: until its places are final, at ${clockTime(last)} at the latest, and then its winner for 3 minutes.`}
    </Note>
  );
}

function moved(slides: SlideSetting[], at: number, by: number): SlideSetting[] {
  const [one, other] = [slides[at], slides[at + by]];
  if (one === undefined || other === undefined) return slides;
  return slides.with(at, other).with(at + by, one);
}

function Slides({ screen }: { screen: ScreenRow }) {
  const [slides, setSlides] = useState<SlideSetting[]>(screen.slides);
  const saving = useChange(() => changeScreen(screen.id, { slides }), { stale: [SCREENS] });
  const none = !slides.some(({ on }) => on);
  const off = none || saving.isPending;
  const set = (at: number, change: Partial<SlideSetting>) =>
    setSlides(slides.map((one, n) => (n === at ? { ...one, ...change } : one)));
  return (
    <Panel title="What it shows">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!off) saving.mutate(undefined);
        }}
      >
        <ul className="slides mt2">
          {slides.map(({ slide, on, seconds }, at) => {
            const label = SLIDE_LABELS[slide];
            return (
              <li key={slide}>
                <Check checked={on} onChange={(event) => set(at, { on: event.target.checked })}>
                  <b>{label}</b>
                  {slide === 'notice' && (
                    <small>
                      The notice below; without one, the notice of {screen.venue} from the page
                      Screens
                    </small>
                  )}
                </Check>
                <span className="unit">
                  <input
                    className="input"
                    type="number"
                    min={SECONDS_MIN}
                    max={SECONDS_MAX}
                    required
                    value={seconds}
                    onChange={(event) => set(at, { seconds: event.target.valueAsNumber })}
                    aria-label={`Seconds of ${label}`}
                  />
                  s
                </span>
                <span className="nw">
                  <Button
                    look="iconb"
                    aria-label={`${label}: earlier`}
                    busy={at === 0}
                    onClick={() => setSlides(moved(slides, at, -1))}
                  >
                    <UpIcon />
                  </Button>
                  <Button
                    look="iconb"
                    aria-label={`${label}: later`}
                    busy={at === slides.length - 1}
                    onClick={() => setSlides(moved(slides, at, 1))}
                  >
                    <DownIcon />
                  </Button>
                </span>
              </li>
            );
          })}
        </ul>
        {saving.isError && <Failed what="Not saved" error={saving.error} />}
        <div className="mt3">
          <Button look="primary full" type="submit" busy={off} aria-describedby="slides-state">
            Save
          </Button>
        </div>
        <p className="sm mt2" id="slides-state" role="status">
          {none
            ? 'Leave at least one slide on.'
            : saving.isSuccess
              ? 'Saved. The screen follows.'
              : 'The screen follows within seconds.'}
        </p>
      </form>
    </Panel>
  );
}

function Settings({ screen }: { screen: ScreenRow }) {
  const { venues } = useMe();
  const [name, setName] = useState(screen.name);
  const [venue, setVenue] = useState(screen.venue_id);
  const [still, setStill] = useState(screen.still);
  const [asking, setAsking] = useState(false);
  const saving = useChange(() => changeScreen(screen.id, { name, venue, still }), {
    stale: [SCREENS],
  });
  const removing = useChange(() => removeScreen(screen.id), {
    stale: [SCREENS],
    onDone: () => navigate(BACK.to),
  });
  return (
    <Panel title="This screen">
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving.isPending) saving.mutate(undefined);
        }}
      >
        <Field
          label="Name"
          value={name}
          maxLength={60}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <Select label="Venue" value={venue} onChange={(event) => setVenue(event.target.value)}>
          {venues.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        <Check checked={still} onChange={(event) => setStill(event.target.checked)}>
          <b>Still screen</b>
          <small>Fades in place of motion</small>
        </Check>
        {saving.isError && <Failed what="Not saved" error={saving.error} />}
        <Button type="submit" busy={saving.isPending}>
          Save
        </Button>
      </form>
      <hr className="rule" />
      <p className="sm">
        Once unpaired, the screen shows a pairing code again, and nothing about the venue.
      </p>
      <div className="mt3">
        <Button look="full" onClick={() => setAsking(true)}>
          Unpair
        </Button>
      </div>
      {asking && (
        <AskDialog
          title={`Unpair ${screen.name}?`}
          verb="Unpair"
          failed="Not unpaired"
          change={removing}
          onClose={() => setAsking(false)}
        >
          <p>Its television shows a code again, and nothing of {screen.venue}.</p>
        </AskDialog>
      )}
    </Panel>
  );
}
