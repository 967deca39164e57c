import { A_PLAYER, isNamed } from '#contract/rules/visibility.ts';
import { Link } from '../router.tsx';
import { Later, NotLoaded, script, useSheet } from './Later.tsx';
import styles from './PlayerName.module.css';
import type { Person } from './person.ts';

const playerCard = script(() => import('./PlayerCard.tsx').then((m) => m.PlayerCard));

type PlayerNameProps = { username: string | null; me: boolean; person: Person };

/**
 * A name in a list. It opens that player's card; the signed-in player's own name opens the pass
 * (HAND-61). A player without a name here cannot be opened.
 */
export function PlayerName({ username, me, person }: PlayerNameProps) {
  const { opened, open, close } = useSheet();
  if (!isNamed(username)) return username ?? A_PLAYER;
  const name = username.toUpperCase();
  const PlayerCard = playerCard();
  if (me)
    return (
      <Link className={styles.name} to="/profile">
        {name}
      </Link>
    );
  return (
    <>
      <button type="button" className={styles.name} aria-haspopup="dialog" onClick={open}>
        {name}
      </button>
      {opened > 0 && (
        <Later key={opened} instead={<NotLoaded />}>
          <PlayerCard username={username} person={person} onClose={close} />
        </Later>
      )}
    </>
  );
}
