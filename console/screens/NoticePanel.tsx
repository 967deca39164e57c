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
import { Field, Select } from '../ui/Field.tsx';
import { OnIcon } from '../ui/Icon.tsx';
import { untilIn } from '../ui/machine-words.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { inputTime } from '../ui/times.ts';
import { SCREENS } from './keys.ts';

/** The DOM id of a venue's notice input. */
export const noticeField = (venue: string) => `notice-${venue}`;

/** A notice for each venue that has a screen (SCREEN-08). */
export function NoticePanel({ screens }: { screens: ScreenRow[] }) {
  const venues = new Map(screens.map((screen) => [screen.venue_id, screen]));
  return [...venues.values()].map((row) => (
    <VenueNotice
      key={row.venue_id}
      row={row}
      screens={screens.filter(({ venue_id }) => venue_id === row.venue_id)}
    />
  ));
}

/** “Show until”: closing time, a typed time, no end. */
type End = 'closing' | 'time' | 'open';

/** `Fri 27 Nov, 22:00`; UTC keeps the typed hour. */
const typedTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** The `End` of the stored notice. A typed time equal to the closing time counts as `closing`. */
function endOf({ notice_until }: ScreenRow, shown: boolean, closes_at: string): End {
  if (!shown || (notice_until && Date.parse(notice_until) === Date.parse(closes_at)))
    return 'closing';
  return notice_until ? 'time' : 'open';
}

/** The end of the button's text: `until tomorrow 01:00` */
function untilWords(end: End, time: string, closes: string): string {
  if (end === 'open') return 'until I take it down';
  if (end === 'closing') return `until ${closes}`;
  return time === '' ? 'until the time above' : `until ${typedTime.format(new Date(`${time}Z`))}`;
}

const roundText = (seconds: number) =>
  seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;

/** How often and for how long a screen shows the notice. */
function turnOf({ name, slides }: ScreenRow): string {
  const on = slides.filter((slide) => slide.on);
  const own = on.find(({ slide }) => slide === 'notice');
  if (own === undefined)
    return `${name} does not show it: its slide “${SLIDE_LABELS.notice}” is off.`;
  const others = on.reduce((sum, { seconds }) => sum + seconds, 0) - own.seconds;
  return others === 0
    ? `${name} shows it all the time.`
    : `${name} shows it for ${own.seconds} s, about every ${roundText(others + own.seconds)}. A new game comes first.`;
}

function VenueNotice({ row, screens }: { row: ScreenRow; screens: ScreenRow[] }) {
  const { venue_id: id, venue, timezone, closes_at } = row;
  const now = useMinutes();
  const client = useQueryClient();
  // After closing time, read the list again: it has the next closing time.
  const closed = Date.parse(closes_at) <= now.getTime();
  useEffect(() => {
    if (closed) void client.invalidateQueries({ queryKey: SCREENS, exact: true });
  }, [client, closed]);
  const ended = row.notice_until !== null && Date.parse(row.notice_until) <= now.getTime();
  const shown = ended ? null : row.notice;
  const closes = untilIn(closes_at, timezone, now);
  const stored: { text: string; end: End; time: string } = {
    text: shown ?? '',
    end: endOf(row, shown !== null, closes_at),
    time: shown !== null && row.notice_until ? inputTime(new Date(row.notice_until), timezone) : '',
  };
  const [typed, setTyped] = useState<typeof stored | null>(null);
  const state = useRef<HTMLParagraphElement>(null);
  const form = typed ?? stored;
  const change = (part: Partial<typeof stored>) => setTyped({ ...form, ...part });
  // For closing time, send the instant that the button shows. If this instant has passed, the
  // server refuses it, so that no notice stays up for another night.
  const saving = useChange(
    ({ text, end, time }: typeof stored) => {
      const notice = text.trim() === '' ? null : text;
      const until = end === 'closing' ? closes_at : time;
      return setNotice(id, notice, notice === null || end === 'open' ? null : until);
    },
    { stale: [SCREENS] },
  );
  // Keep the typed text until the new list arrives; otherwise the old text flashes.
  const save = (sent: typeof stored) =>
    saving.mutate(sent, {
      onSuccess: () => {
        setTyped((now) => (now === sent ? null : now));
        // Focus the status, because “Take it down” is gone.
        if (sent.text === '') state.current?.focus();
      },
      onError: () => void client.invalidateQueries({ queryKey: SCREENS, exact: true }),
    });
  const errors = fieldsOf(saving.error);
  const empty = form.text.trim() === '';
  const same = form.text === stored.text && form.end === stored.end && form.time === stored.time;
  const missing = empty
    ? shown === null
      ? 'Type the text first.'
      : 'Type a text, or take the notice down.'
    : form.end === 'time' && form.time === ''
      ? 'Choose a day and a time.'
      : same
        ? 'The screens show exactly this already.'
        : '';
  const off = missing !== '' || saving.isPending;
  const lost = typed !== null && form.text !== stored.text;
  return (
    <Panel title={`Notice at ${venue}`}>
      <p className="sm mt2">
        A text on every screen at {venue}, on the slide “{SLIDE_LABELS.notice}”.
      </p>
      {lost && (
        <AskLeave title="Leave without saving?" verb="Leave">
          The notice for {venue} is not on the screens yet. Its text is lost when you leave.
        </AskLeave>
      )}
      {shown === null ? (
        <p className="sm mt2">No notice is up.</p>
      ) : (
        <div className="up mt3">
          <p className="st">
            <OnIcon />
            On every screen at {venue}{' '}
            {row.notice_until
              ? `until ${untilIn(row.notice_until, timezone, now)}`
              : 'until somebody takes it down'}
          </p>
          <p className="quote mt2">{shown}</p>
          <Button
            look="full"
            className="mt3"
            busy={saving.isPending}
            onClick={() => save({ text: '', end: 'open', time: '' })}
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
            maxLength={NOTICE_MAX}
            value={form.text}
            onChange={(event) => change({ text: event.target.value })}
            aria-describedby={`notice-${id}-help`}
          />
          <p className="help" id={`notice-${id}-help`}>
            {form.text.length} of {NOTICE_MAX} characters.
          </p>
          {screens.map((screen) => (
            <p className="help" key={screen.id}>
              {turnOf(screen)}
            </p>
          ))}
        </div>
        <Select
          label="Show until"
          value={form.end}
          help={
            row.closes
              ? undefined
              : `${venue} has no closing time, so its day ends at 06:00. The opening hours are on the page of each machine.`
          }
          onChange={(event) => {
            const end = event.target.value as End;
            const first = end === 'time' && form.time === '';
            change({ end, ...(first && { time: inputTime(new Date(closes_at), timezone) }) });
          }}
        >
          <option value="closing">
            {row.closes ? 'Closing time' : 'The end of the day'}, {closes}
          </option>
          <option value="time">A day and a time</option>
          <option value="open">No end: I take it down</option>
        </Select>
        {form.end === 'time' && (
          <Field
            label={`Until, on the clock of ${venue}`}
            type="datetime-local"
            min={inputTime(now, timezone)}
            value={form.time}
            error={errors.until}
            onChange={(event) => change({ time: event.target.value })}
          />
        )}
        {saving.isError && (form.end !== 'time' || errors.until === undefined) && (
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
            Show {untilWords(form.end, form.time, closes)}
          </Button>
          <p ref={state} className="sm mt2" id={`notice-${id}-state`} role="status" tabIndex={-1}>
            {saving.isSuccess && typed === null
              ? shown === null
                ? 'Taken down. The screens follow.'
                : 'Saved. The screens follow.'
              : missing}
          </p>
        </div>
      </form>
    </Panel>
  );
}
