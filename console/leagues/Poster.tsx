import { useMemo, useState } from 'react';
import type { TeamPoster } from '#contract/wire/teams.ts';
import { CANNOT_PRINT, printPage } from '../../web/ui/copy.ts';
import { drawQr, MARGIN } from '../../web/ui/qr.ts';
import wordmark from '../../web/ui/wordmark.svg';
import { readPoster } from '../api/calls.ts';
import { teamKey, useRead } from '../api/queries.ts';
import { useMay, useMe } from '../session/me.tsx';
import { useVenue } from '../session/venue.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { PrintIcon } from '../ui/Icon.tsx';
import { Note } from '../ui/Notice.tsx';
import { longDay } from './words.ts';

/**
 * Font sizes of the team's name, in cqw. The name gets the largest size at which it fits on two
 * lines.
 */
const LARGEST = 14.6;
const SMALLEST = 9;
/** A capital's width in the display face as a share of the font size, rounded up. */
const LETTER = 0.5;
const WIDTH = 85;

export function nameSize(name: string): number {
  const words = name.split(/\s+/);
  for (let size = LARGEST; size > SMALLEST; size -= 0.4) {
    const room = WIDTH / (LETTER * size);
    let [lines, used] = [1, 0];
    for (const word of words) {
      const needed = used === 0 ? word.length : used + 1 + word.length;
      if (needed > room && used > 0) [lines, used] = [lines + 1, word.length];
      else used = needed;
    }
    if (lines <= 2 && words.every(({ length }) => length <= room)) return size;
  }
  return SMALLEST;
}

/** A team's A4 poster. */
export function Poster({ id }: { id: string }) {
  const read = useRead([...teamKey(id), 'poster'], () => readPoster(id), ['weeks']);
  const manager = useMay('manager');
  const [cannotPrint, setCannotPrint] = useState(false);
  const name = read.data?.team ?? 'Team';
  return (
    <div className="sheetwrap">
      <div className="noprint">
        <Page
          title="Poster"
          about="One A4 page. Print at 100 %, in colour or black."
          back={
            manager
              ? { to: `/console/leagues/teams/${id}`, name }
              : { to: '/console/', name: 'Tonight' }
          }
          actions={
            <Button look="primary" onClick={() => setCannotPrint(!printPage())}>
              <PrintIcon />
              Print
            </Button>
          }
        >
          <div role="status">{cannotPrint && <Note>{CANNOT_PRINT}</Note>}</div>
          {read.data?.joining === 'closed' && (
            <Note>
              The league is closed: this code does not work until a manager opens joining.
            </Note>
          )}
        </Page>
      </div>
      <Loaded read={read} what="the poster">
        {(poster) => <Sheet poster={poster} />}
      </Loaded>
    </div>
  );
}

function Sheet({ poster: { team, league, code, url, season_ends_on } }: { poster: TeamPoster }) {
  const { venues, brand } = useMe();
  const { venue } = useVenue();
  const where = venues.length === 1 ? venues[0] : venues.find(({ id }) => id === venue);
  const { modules, path } = useMemo(() => drawQr(url, 'quartile'), [url]);
  const until = season_ends_on === null ? '' : ` until ${longDay(season_ends_on)}`;
  return (
    <article className="a4" aria-label="Poster, A4">
      <div className="a4__in">
        <p className="over">
          {league}, every week{until}
        </p>
        <h2 className="a4__name" style={{ fontSize: `${nameSize(team)}cqw` }}>
          {team}
        </h2>
        <div className="a4__mid">
          <div className="a4__sq">
            <svg viewBox="0 0 64 64" aria-hidden="true">
              <mask id="poster-cut">
                <rect width="64" height="64" fill="#fff" />
                <circle cx="60" cy="60" r="13" />
              </mask>
              <rect
                x="3"
                y="3"
                width="58"
                height="58"
                rx="9"
                fill="none"
                stroke="#12285C"
                strokeWidth="6"
                mask="url(#poster-cut)"
              />
              <circle cx="60" cy="60" r="9.5" fill="#C9143A" />
            </svg>
            <div className="a4__qr">
              <svg
                viewBox={`${MARGIN} ${MARGIN} ${modules - 2 * MARGIN} ${modules - 2 * MARGIN}`}
                role="img"
                aria-label={`QR code of ${url}`}
              >
                <path d={path} fill="currentColor" shapeRendering="crispEdges" />
              </svg>
            </div>
          </div>
          <div className="a4__code">
            <p>Join us. Your code:</p>
            <span className="num">{code}</span>
            <p>
              Scan, or go to
              <br />
              <b>
                {url.replace(/^https?:\/\//, '').slice(0, -code.length)}
                <wbr />
                <span className="nw">{code}</span>
              </b>
            </p>
          </div>
        </div>
        <ol>
          <Step number={1} what="Join" how="Scan the square and make your account. It is free." />
          <Step
            number={2}
            what="Hold your code up to a machine"
            how="Your phone shows it. The machine says hello."
          />
          <Step
            number={3}
            what="Play for the team"
            how="Eight games a week count, your best four make the total."
          />
        </ol>
        <div className="a4__f">
          <img src={wordmark} alt={brand} />
          <span>
            {where && (
              <>
                {where.name}
                <br />
              </>
            )}
            Ask at the bar for help
          </span>
        </div>
      </div>
    </article>
  );
}

const Step = ({ number, what, how }: { number: number; what: string; how: string }) => (
  <li>
    <span>{number}</span>
    <span>
      <b>{what}</b>
      {how}
    </span>
  </li>
);
