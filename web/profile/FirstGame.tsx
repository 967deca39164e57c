import { useGames } from '../session/reads.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './FirstGame.module.css';
import { PanelLinks } from './PanelLinks.tsx';

const JOIN = [{ to: '/league', name: 'Got a team code? Join a team' }] as const;

/** What to do before the first game has landed (HAND-42). */
export function FirstGame({ hasTeam }: { hasTeam: boolean }) {
  const games = useGames();
  // The list has held games too, which the figures do not count.
  if ((games.data?.pages[0]?.results.length ?? 0) > 0) return null;
  return (
    <Panel title="Your first game">
      <ol className={styles.steps}>
        <li>
          <div>
            Hold your code up to the square on a machine.
            <small>Any machine with the painted square.</small>
          </div>
        </li>
        <li>
          <div>
            Play. Your score lands here.
            <small>A few seconds after the last ball.</small>
          </div>
        </li>
      </ol>
      {!hasTeam && <PanelLinks label="Join a team" links={JOIN} />}
    </Panel>
  );
}
