import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { NOTICE_MAX, SLIDE_LABELS } from '#contract/rules/screens.ts';
import type { ScreenRow } from '#contract/wire/screens.ts';
import { setNotice } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { AskLeave } from '../shell/AskLeave.tsx';
import { useMinutes } from '../shell/until.ts';
import { Button } from '../ui/Button.tsx';
import { Choice, Field } from '../ui/Field.tsx';
import { OnIcon } from '../ui/Icon.tsx';
import { untilIn } from '../ui/machine-words.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { inputTime } from '../ui/times.ts';
import { WeekHours } from '../ui/WeekHours.tsx';
import { SCREENS } from './keys.ts';
import {
  atNow,
  formOf,
  missingOf,
  type NoticeForm,
  sentOf,
  shownWords,
  type When,
  whenWords,
} from './notice-form.ts';

/** The DOM id of a venue's notice input. */
export const noticeField = (venue: string) => `notice-${venue}`;

/**
 * A notice for each venue that has a screen (SCREEN-08), or for the chosen `venue` alone. The others
 * are only hidden, so that text typed there is not lost.
 */
export function NoticePanel({ screens, venue }: { screens: ScreenRow[]; venue: string | null }) {
  const venues = new Map(screens.map((screen) => [screen.venue_id, screen]));
  return [...venues.values()].map((row) => (
    <Notice
      key={row.venue_id}
      of="venue"
      row={row}
      screens={screens.filter(({ venue_id }) => venue_id === row.venue_id)}
      hidden={venue !== null && venue !== row.venue_id}
    />
  ));
}

/** The notice of one screen, shown in place of the venue's (HAND-C14). */
export function OwnNotice({ screen }: { screen: ScreenRow }) {
  return <Notice of="screen" row={screen} screens={[screen]} />;
}

const roundText = (seconds: number) =>
  seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;

/** How often and for how long a screen shows the notice of its venue. */
function turnOf({ name, slides, own }: ScreenRow): string {
  if (own.notice !== null) return `${name} has a notice of its own, which comes first.`;
  return ownTurnOf({ name, slides });
}

/** How often and for how long a screen shows a notice. */
function ownTurnOf({ name, slides }: Pick<ScreenRow, 'name' | 'slides'>): string {
  const on = slides.filter((slide) => slide.on);
  const own = on.find(({ slide }) => slide === 'notice');
  if (own === undefined)
    return `${name} does not show it: its slide “${SLIDE_LABELS.notice}” is off.`;
  const others = on.reduce((sum, { seconds }) => sum + seconds, 0) - own.seconds;
  return others === 0
    ? `${name} shows it all the time.`
    : `${name} shows it for ${own.seconds} s, about every ${roundText(others + own.seconds)}. A new game comes first.`;
}

const SHOWN = { legend: 'Shown', off: 'Not shown', from: 'from', to: 'until' };

function Notice({
  of,
  row,
  screens,
  hidden = false,
}: {
  of: 'venue' | 'screen';
  row: ScreenRow;
  screens: ScreenRow[];
  hidden?: boolean;
}) {
  const { venue, timezone, closes_at } = row;
  const [id, name, where] =
    of === 'venue'
      ? [row.venue_id, venue, `every screen at ${venue}`]
      : [row.id, row.name, `${row.name} alone`];
  const now = useMinutes();
  const client = useQueryClient();
  // After closing time, read the list again: it has the next closing time.
  const closed = Date.parse(closes_at) <= now.getTime();
  useEffect(() => {
    if (closed) void client.invalidateQueries({ queryKey: SCREENS, exact: true });
  }, [client, closed]);
  const up = atNow(of === 'venue' ? row : row.own, now);
  const closes = untilIn(closes_at, timezone, now);
  const stored = formOf(up, row);
  const [typed, setTyped] = useState<NoticeForm | null>(null);
  const state = useRef<HTMLParagraphElement>(null);
  const form = typed ?? stored;
  const change = (part: Partial<NoticeForm>) => setTyped({ ...form, ...part });
  const saving = useChange((sent: NoticeForm) => setNotice(of, id, sentOf(sent, row)), {
    stale: [SCREENS],
  });
  // Keep the typed text until the new list arrives; otherwise the old text flashes.
  const save = (sent: NoticeForm) =>
    saving.mutate(sent, {
      onSuccess: () => {
        setTyped((now) => (now === sent ? null : now));
        // Focus the status, because “Take it down” is gone.
        if (sent.text === '') state.current?.focus();
      },
      onError: () => void client.invalidateQueries({ queryKey: SCREENS, exact: true }),
    });
  const errors = fieldsOf(saving.error);
  const inField = {
    closing: undefined,
    time: errors.from ?? errors.until,
    weekly: errors.weekly,
    open: undefined,
  }[form.when];
  const missing = missingOf(form, stored, row);
  const off = missing !== '' || saving.isPending;
  const lost = typed !== null && form.text !== stored.text;
  const atVenue = inputTime(now, timezone);
  const choose = (when: When) =>
    change({
      when,
      ...(when === 'time' &&
        form.until === '' && { from: atVenue, until: inputTime(new Date(closes_at), timezone) }),
    });
  return (
    <>
      {lost && (
        <AskLeave title="Leave without saving?" verb="Leave">
          The notice for {name} is not on the screens yet. Its text is lost when you leave.
        </AskLeave>
      )}
      <div hidden={hidden}>
        <Panel title={of === 'venue' ? `Notice at ${name}` : `Notice on ${name}`}>
          <p className="sm mt2">
            A text on {where}, on the slide “{SLIDE_LABELS.notice}”.
            {of === 'screen' && ` While it is shown, the notice of ${venue} is not.`}
          </p>
          {up.notice === null ? (
            <p className="sm mt2">No notice is up.</p>
          ) : (
            <div className="up mt3">
              <p className="st">
                <OnIcon />
                On {where} {shownWords(up, timezone, now)}
              </p>
              <p className="quote mt2">{up.notice}</p>
              <Button
                look="full"
                className="mt3"
                busy={saving.isPending}
                onClick={() => save({ ...stored, text: '' })}
              >
                Take it down
              </Button>
            </div>
          )}
          <form
            className="form mt4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!off) save(form);
            }}
          >
            <div className="field">
              <label htmlFor={noticeField(id)}>Text of the notice</label>
              <textarea
                className="input"
                id={noticeField(id)}
                rows={3}
                value={form.text}
                onChange={(event) => change({ text: event.target.value })}
                aria-describedby={`notice-${id}-help`}
              />
              <p className="help" id={`notice-${id}-help`}>
                {form.text.length} of {NOTICE_MAX} characters.
              </p>
              {screens.map((screen) => (
                <p className="help" key={screen.id}>
                  {of === 'venue' ? turnOf(screen) : ownTurnOf(screen)}
                </p>
              ))}
            </div>
            <Choice
              legend="When"
              words={{
                closing: `Until ${row.closes ? 'closing time' : 'the end of the day'}, ${closes}`,
                time: 'From … until …',
                weekly: 'Every week',
                open: 'Always',
              }}
              help={{
                ...(!row.closes && {
                  closing: `${venue} has no closing time, so its day ends at 06:00. The opening hours are on the page of each machine.`,
                }),
                open: 'No end: I take it down',
              }}
              value={form.when}
              onChoose={choose}
            />
            {form.when === 'time' &&
              (['from', 'until'] as const).map((end) => (
                <Field
                  key={end}
                  label={`${end === 'from' ? 'From' : 'Until'}, on the clock of ${venue}`}
                  type="datetime-local"
                  min={end === 'until' ? atVenue : undefined}
                  value={form[end]}
                  error={errors[end]}
                  onChange={(event) => change({ [end]: event.target.value })}
                />
              ))}
            {form.when === 'weekly' && (
              <WeekHours
                words={SHOWN}
                week={form.week}
                error={errors.weekly}
                onChange={(week) => change({ week })}
              />
            )}
            {saving.isError && inField === undefined && (
              <Failed
                what="Not saved"
                error={saving.error}
                kept="Your text is still here."
                {...(errors.until === undefined && { onAgain: () => save(form) })}
              />
            )}
            <div>
              <Button
                look={off ? 'full' : 'primary full'}
                type="submit"
                busy={off}
                aria-describedby={`notice-${id}-state`}
              >
                Show {whenWords(form, closes, atVenue)}
              </Button>
              <p
                ref={state}
                className="sm mt2"
                id={`notice-${id}-state`}
                role="status"
                tabIndex={-1}
              >
                {saving.isSuccess && typed === null
                  ? up.notice === null
                    ? 'Taken down. The screens follow.'
                    : 'Saved. The screens follow.'
                  : missing}
              </p>
            </div>
          </form>
        </Panel>
      </div>
    </>
  );
}
