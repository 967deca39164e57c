import { useState } from 'react';
import type { SeasonPage } from '#contract/wire/seasons.ts';
import { placeWords } from '../session/season.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/FormError.tsx';
import { Panel } from '../ui/Panel.tsx';
import type { SeasonCard } from './card.ts';
import { useSeasonPicture } from './queries.ts';
import styles from './Seasons.module.css';
import { SharePicture } from './SharePicture.tsx';

/** The final season of the player's team as a card; null before it is final, or without a place. */
function cardOf({ league, name, state, starts_on, ends_on, mine, ...page }: SeasonPage) {
  const row = page.standings.find(({ team }) => team === mine?.team);
  if (state !== 'final' || ends_on === null || mine?.place == null || row === undefined)
    return null;
  const { won, drawn, lost, total } = row;
  const result = page.champions.includes(mine.team)
    ? 'Champions'
    : placeWords(mine.place, page.standings.length);
  const record = `${won} won, ${drawn} drawn, ${lost} lost`;
  const about = { league, name, starts_on, ends_on };
  return { ...about, ...mine, place: mine.place, result, record, total } satisfies SeasonCard;
}

/** The season of the player's team as a picture, drawn on request (AWARD-09). */
export function ShareSeason({ page }: { page: SeasonPage }) {
  const card = cardOf(page);
  return card && <Share id={page.id} card={card} />;
}

function Share({ id, card }: { id: string; card: SeasonCard }) {
  const [open, setOpen] = useState(false);
  const { data, isError, isFetching } = useSeasonPicture(id, card, open);
  const { team, result, name, league, record, total } = card;
  const words = `${team}: ${result}. ${name}, ${league}. ${record}, ${total.toLocaleString('en')} points.`;
  return (
    <Panel title="In one picture">
      {data && <SharePicture picture={data} alt={words} />}
      {isError && <FormError>This browser cannot make the picture.</FormError>}
      {!data && (
        <div className={styles.share}>
          <Button look="quiet" aria-busy={isFetching} onClick={() => setOpen(true)}>
            Share it
          </Button>
        </div>
      )}
    </Panel>
  );
}
