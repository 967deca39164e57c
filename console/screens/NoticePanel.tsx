import { useState } from 'react';
import { NOTICE_MAX } from '#contract/slides.ts';
import type { ScreenRow } from '#contract/venue-screen.ts';
import { setNotice } from '../api/calls.ts';
import { useChange } from '../api/queries.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';

export function NoticePanel({ screens }: { screens: ScreenRow[] }) {
  const venues = new Map(screens.map((screen) => [screen.venue_id, screen]));
  return [...venues.values()].map(({ venue_id, venue, notice }) => (
    <VenueNotice key={venue_id} id={venue_id} name={venue} notice={notice ?? ''} />
  ));
}

function VenueNotice({ id, name, notice }: { id: string; name: string; notice: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const saving = useChange((text: string) => setNotice(id, text.trim() === '' ? null : text), {
    stale: [['screens']],
    onDone: () => setTyped(null),
  });
  const text = typed ?? notice;
  return (
    <Panel title={`From the house, ${name}`}>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(text);
        }}
      >
        <div className="field">
          <label htmlFor={`notice-${id}`}>Notice on every screen there</label>
          <textarea
            className="input"
            id={`notice-${id}`}
            rows={3}
            maxLength={NOTICE_MAX}
            value={text}
            onChange={(event) => setTyped(event.target.value)}
            aria-describedby={`notice-${id}-help`}
          />
          <p className="help" id={`notice-${id}-help`}>
            {text.length} of {NOTICE_MAX} characters. Empty: no slide.
          </p>
        </div>
        {saving.isError && (
          <Failed what="Not saved" error={saving.error} onAgain={() => saving.mutate(text)} />
        )}
        <button className="btn" type="submit" disabled={text === notice || saving.isPending}>
          Save
        </button>
        <p className="xs" role="status">
          {saving.isSuccess && typed === null && 'Saved. The screens follow.'}
        </p>
      </form>
    </Panel>
  );
}
