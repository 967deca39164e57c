import { useState } from 'react';
import wordmark from '#brand/wordmark.svg';
import type { ContestPoster as Poster } from '#contract/wire/contests.ts';
import { CANNOT_PRINT, printPage } from '../../web/ui/copy.ts';
import { readContestPoster } from '../api/calls.ts';
import { CONTESTS, useRead } from '../api/queries.ts';
import { useMay, useMe } from '../session/me.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { PrintIcon } from '../ui/Icon.tsx';
import { Note } from '../ui/Notice.tsx';
import { nameSize } from '../ui/name-size.ts';
import { PosterSquare } from '../ui/PosterSquare.tsx';
import { countsWords, windowWords } from './words.ts';

/** A contest's A4 poster (CONTEST-12). */
export function ContestPoster({ id }: { id: string }) {
  const read = useRead([...CONTESTS, 'poster', id], () => readContestPoster(id), ['contests']);
  const may = useMay('manager');
  const [cannotPrint, setCannotPrint] = useState(false);
  return (
    <div className="sheetwrap">
      <div className="noprint">
        <Page
          title="Poster"
          about="One A4 page. Print at 100 %, in colour or black."
          back={
            may
              ? { to: `/console/contests/${id}`, name: read.data?.name ?? 'Contest' }
              : { to: '/console/contests', name: 'Contests' }
          }
          actions={
            <Button look="primary" onClick={() => setCannotPrint(!printPage())}>
              <PrintIcon />
              Print
            </Button>
          }
        >
          <div role="status">{cannotPrint && <Note>{CANNOT_PRINT}</Note>}</div>
        </Page>
      </div>
      <Loaded read={read} what="the poster">
        {(poster) => <Sheet poster={poster} />}
      </Loaded>
    </div>
  );
}

const STEPS = [
  ['Scan', 'Pick a name and a jersey. It is free.'],
  ['Hold your code up to a machine', 'Your phone shows it. The machine says hello.'],
  ['Play', 'Everybody who plays is in.'],
] as const;

function Sheet({ poster }: { poster: Poster }) {
  const { brand } = useMe();
  const { name, venue, code, url, prizes, scoring, n } = poster;
  return (
    <article className="a4" aria-label="Poster, A4">
      <div className="a4__in">
        <p className="over">
          {venue}, {windowWords(poster)}
        </p>
        <h2 className="a4__name" style={{ fontSize: `${nameSize(name)}cqw` }}>
          {name}
        </h2>
        <PosterSquare url={url} />
        <div className={prizes === null ? 'a4__code' : 'a4__code a4__code--prizes'}>
          <p>
            {countsWords(scoring, n)}.<span className="num">{code}</span>
          </p>
          {prizes !== null && <p className="a4__prizes lines">{prizes}</p>}
        </div>
        <ol>
          {STEPS.map(([what, how], at) => (
            <li key={what}>
              <span>{at + 1}</span>
              <span>
                <b>{what}</b>
                {how}
              </span>
            </li>
          ))}
        </ol>
        <div className="a4__f">
          <img src={wordmark} alt={brand} />
          <span>
            {venue}
            <br />
            Ask at the bar for help
          </span>
        </div>
      </div>
    </article>
  );
}
