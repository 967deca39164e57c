import { useId, useState } from 'react';
import { avatarColor, jerseyNumber } from '#contract/rules/jersey.ts';
import { adultFrom } from '#contract/rules/of-age.ts';
import { A_PLAYER, type Visibility } from '#contract/rules/visibility.ts';
import type { User } from '#contract/wire/profile.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { Failure } from '../shell/Failure.tsx';
import { useSaveVisibility } from '../shell/save-visibility.ts';
import { useAdultAge, WHO_SEES, WHO_SEES_PICKS } from '../shell/who-sees.ts';
import { longDay } from '../ui/months.ts';
import { Panel } from '../ui/Panel.tsx';
import { Picks } from '../ui/Picks.tsx';
import { Saved } from '../ui/Saved.tsx';
import styles from './WhoSeesMyName.module.css';

/** Says why a player under age cannot choose, and from which day on they can (PROD-80). */
function UnderAge({ id, birthdate }: { id: string; birthdate: string | null }) {
  const age = useAdultAge();
  return (
    <p id={id} className={styles.why}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.4 7 9 4.1-1.6 7-4.6 7-9V6Z" />
      </svg>
      <span>
        You are under {age}, so only your team and the teams you play see your name.
        {birthdate !== null &&
          ` You can choose from ${longDay(adultFrom(birthdate, age))}. Nothing changes by itself then.`}
      </span>
    </p>
  );
}

/** The player's row as teammates and opponents see it, and as everybody else sees it. */
function BothViews({ user }: { user: User }) {
  const id = useId();
  const [color, number] = [avatarColor(user.avatar_color), jerseyNumber(user.jersey_number)];
  return (
    <div className={styles.views}>
      <p id={id}>How others see this week's game</p>
      <ol aria-labelledby={id}>
        <li>
          <span className={styles.jersey} aria-hidden="true">
            {color && number && (
              <Jersey username={user.username} color={color} number={number} small />
            )}
          </span>
          <div>
            <b>{user.username.toUpperCase()}</b>
            <small>You, your team and the teams you play</small>
          </div>
        </li>
        <li>
          <span className={styles.jersey}>
            <GreyJersey />
          </span>
          <div>
            {A_PLAYER}
            <small>Everybody else</small>
          </div>
        </li>
      </ol>
    </div>
  );
}

/** A choice is saved immediately (PROD-80). */
export function WhoSeesMyName({ user }: { user: User }) {
  const why = useId();
  const save = useSaveVisibility();
  const [saved, setSaved] = useState(false);
  const chosen = save.isPending ? save.variables : user.visibility;
  const underAge = user.visibility_max === 'league';

  function choose(visibility: Visibility) {
    setSaved(false);
    save.mutate(visibility, { onSuccess: () => setSaved(true) });
  }

  return (
    <Panel title={WHO_SEES} aside={!underAge && <Saved shown={saved} />}>
      <p className={styles.about}>
        Your scores count in any case. This is about the name and the jersey beside them.
      </p>
      {underAge && <UnderAge id={why} birthdate={user.date_of_birth} />}
      <Picks
        legend={WHO_SEES}
        picks={WHO_SEES_PICKS}
        value={chosen}
        onPick={choose}
        isOff={(value) => underAge && value !== 'league'}
        describedBy={underAge ? why : undefined}
      />
      {chosen === 'league' && !underAge && <BothViews user={user} />}
      {save.isError && (
        <div className={styles.failure}>
          <Failure error={save.error} />
        </div>
      )}
    </Panel>
  );
}
