import { NOTICE_MAX } from '#contract/rules/screens.ts';
import type { NoticeRow, ScreenRow } from '#contract/wire/screens.ts';
import { untilIn } from '../ui/machine-words.ts';
import { count, inputTime } from '../ui/times.ts';
import { NO_DAYS, textOf, type Week, weekOf } from '../ui/week.ts';

/** When a notice is shown: until closing time, between two times, every week, always. */
export type When = 'closing' | 'time' | 'weekly' | 'open';

/**
 * What staff type. `from` and `until` are values of datetime-local inputs, on the venue's clock.
 */
export type NoticeForm = { text: string; when: When; from: string; until: string; week: Week };

type House = Pick<ScreenRow, 'timezone' | 'closes_at'>;

const NONE = { notice: null, notice_from: null, notice_until: null, notice_weekly: null };

/** The notice at `now`. If it has ended, its text is empty. */
export function atNow(notice: NoticeRow, now: Date): NoticeRow {
  const { notice_until } = notice;
  return notice_until !== null && Date.parse(notice_until) <= now.getTime() ? NONE : notice;
}

/** The stored notice as a form. A typed end equal to the closing time counts as `closing`. */
export function formOf(notice: NoticeRow, { timezone, closes_at }: House): NoticeForm {
  const { notice: text, notice_from, notice_until, notice_weekly } = notice;
  const typed = (at: string | null) => (at === null ? '' : inputTime(new Date(at), timezone));
  const isClosing = notice_until !== null && Date.parse(notice_until) === Date.parse(closes_at);
  return {
    text: text ?? '',
    when:
      notice_weekly !== null
        ? 'weekly'
        : notice_from === null && (text === null || isClosing)
          ? 'closing'
          : (notice_from ?? notice_until) !== null
            ? 'time'
            : 'open',
    from: typed(notice_from),
    until: typed(notice_until),
    week: notice_weekly === null ? NO_DAYS : weekOf(notice_weekly),
  };
}

/**
 * What is sent. Closing time is sent as the instant that the button shows. Once this instant has
 * passed, the server refuses the notice, so that none stays up for another night.
 * @throws Error for a week that is not complete.
 */
export function sentOf({ text, when, from, until, week }: NoticeForm, { closes_at }: House) {
  const notice = text.trim() === '' ? null : text;
  const sent = { notice, from: null, until: null, weekly: null };
  if (notice === null || when === 'open') return sent;
  if (when === 'weekly') return { ...sent, weekly: textOf(week) };
  return when === 'time' ? { ...sent, from: from || null, until } : { ...sent, until: closes_at };
}

/** What is still missing, or '' if the form can be sent. */
export function missingOf(form: NoticeForm, stored: NoticeForm, house: House): string {
  if (form.text.trim() === '')
    return stored.text === '' ? 'Type the text first.' : 'Type a text, or take the notice down.';
  const over = form.text.length - NOTICE_MAX;
  if (over > 0) return `Shorten the text by ${count(over, 'character')}.`;
  if (form.when === 'time' && form.until === '') return 'Choose a day and a time.';
  try {
    const sent = JSON.stringify(sentOf(form, house));
    const same = form.when === stored.when && sent === JSON.stringify(sentOf(stored, house));
    return same ? 'The screens show exactly this already.' : '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** `Fri 27 Nov, 22:00`; UTC keeps the typed hour. */
const typedTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const typedWords = (time: string) => typedTime.format(new Date(`${time}Z`));

/**
 * The end of the button's text: `until tomorrow 01:00`. `now` is a datetime-local input's value.
 */
export function whenWords({ when, from, until }: NoticeForm, closes: string, now: string): string {
  if (when === 'open') return 'until I take it down';
  if (when === 'closing') return `until ${closes}`;
  if (when === 'weekly') return 'every week';
  const begin = from > now ? `from ${typedWords(from)} ` : '';
  return `${begin}until ${until === '' ? 'the time above' : typedWords(until)}`;
}

/** When a stored notice is shown: `from tomorrow 18:00 until Fri 27 Nov, 22:00`. */
export function shownWords(
  { notice_from, notice_until, notice_weekly }: NoticeRow,
  timezone: string,
  now: Date,
): string {
  if (notice_weekly !== null) return `every week, ${notice_weekly}`;
  const begin =
    notice_from !== null && Date.parse(notice_from) > now.getTime()
      ? `from ${untilIn(notice_from, timezone, now)} `
      : '';
  const end = notice_until === null ? null : untilIn(notice_until, timezone, now);
  return `${begin}until ${end ?? 'somebody takes it down'}`;
}
