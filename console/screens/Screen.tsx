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
          <Slides screen={screen} />
          <OwnNotice screen={screen} />
          <Settings screen={screen} />
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
  /** Null until touched: a colleague may change the slides meanwhile. */
  const [typed, setTyped] = useState<SlideSetting[] | null>(null);
  const slides = typed ?? screen.slides;
  const saving = useChange((sent: SlideSetting[]) => changeScreen(screen.id, { slides: sent }), {
    stale: [SCREENS],
  });
  const none = !slides.some(({ on }) => on);
  const off = none || saving.isPending;
  const set = (at: number, change: Partial<SlideSetting>) =>
    setTyped(slides.map((one, n) => (n === at ? { ...one, ...change } : one)));
  return (
    <Panel title="What it shows">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (off) return;
          // Keep what was typed until the list has been read again; otherwise the old values flash.
          saving.mutate(slides, {
            onSuccess: () => setTyped((now) => (now === slides ? null : now)),
          });
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
                    onClick={() => setTyped(moved(slides, at, -1))}
                  >
                    <UpIcon />
                  </Button>
                  <Button
                    look="iconb"
                    aria-label={`${label}: later`}
                    busy={at === slides.length - 1}
                    onClick={() => setTyped(moved(slides, at, 1))}
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
            : saving.isSuccess && typed === null
              ? 'Saved. The screen follows.'
              : 'The screen follows within seconds.'}
        </p>
      </form>
    </Panel>
  );
}

type ScreenSettings = { name?: string; venue?: string; still?: boolean };

function Settings({ screen }: { screen: ScreenRow }) {
  const { venues } = useMe();
  /** Only what was touched: a colleague may change the rest meanwhile. */
  const [typed, setTyped] = useState<ScreenSettings>({});
  const [asking, setAsking] = useState(false);
  const saving = useChange((sent: ScreenSettings) => changeScreen(screen.id, sent), {
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
          if (saving.isPending) return;
          saving.mutate(typed, { onSuccess: () => setTyped((now) => (now === typed ? {} : now)) });
        }}
      >
        <Field
          label="Name"
          value={typed.name ?? screen.name}
          maxLength={60}
          required
          onChange={(event) => setTyped({ ...typed, name: event.target.value })}
        />
        <Select
          label="Venue"
          value={typed.venue ?? screen.venue_id}
          onChange={(event) => setTyped({ ...typed, venue: event.target.value })}
        >
          {venues.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </Select>
        <Check
          checked={typed.still ?? screen.still}
          onChange={(event) => setTyped({ ...typed, still: event.target.checked })}
        >
          <b>Still screen</b>
          <small>Fades in place of motion</small>
        </Check>
        {saving.isError && <Failed what="Not saved" error={saving.error} />}
        <Button type="submit" busy={saving.isPending}>
          Save
        </Button>
        <p className="sm" role="status">
          {saving.isSuccess && Object.keys(typed).length === 0 && 'Saved.'}
        </p>
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
