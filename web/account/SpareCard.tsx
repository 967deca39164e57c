import { type CSSProperties, useState } from 'react';
import { nameWidth } from '#brand/jersey-shape.ts';
import {
  avatarColor,
  DEFAULT_AVATAR_COLOR,
  DEFAULT_JERSEY_NUMBER,
  jerseyNumber,
} from '#contract/rules/jersey.ts';
import type { User } from '#contract/wire/profile.ts';
import { Jersey } from '../avatar/Jersey.tsx';
import { Link, Redirect } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { CANNOT_PRINT, printPage } from '../ui/copy.ts';
import { FormError } from '../ui/FormError.tsx';
import { Wordmark } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PanelPage } from '../ui/PanelPage.tsx';
import { PlayerCode } from '../ui/PlayerCode.tsx';
import account from './Account.module.css';
import styles from './SpareCard.module.css';

/** The card shows no e-mail, and the uuid only as a code (PROD-56, LOOK-62). */
function Card({
  user,
}: {
  user: Pick<User, 'uuid' | 'username' | 'avatar_color' | 'jersey_number'>;
}) {
  return (
    <figure className={styles.card} aria-label="Spare card">
      <div className={styles.who}>
        <Wordmark height={20} />
        <Jersey
          small
          username=""
          color={avatarColor(user.avatar_color) ?? DEFAULT_AVATAR_COLOR}
          number={jerseyNumber(user.jersey_number) ?? DEFAULT_JERSEY_NUMBER}
          className={styles.jersey}
        />
        <b
          className="display"
          style={{ '--name-width': nameWidth(user.username.toUpperCase(), 1) } as CSSProperties}
        >
          {user.username}
        </b>
      </div>
      <div className={styles.code}>
        <PlayerCode uuid={user.uuid} />
      </div>
    </figure>
  );
}

/**
 * The page "Print spare card" (PROD-56). Until the profile is read, it shows the stored code, which
 * another device may have replaced.
 */
export function SpareCard() {
  const { user } = useAuth();
  const [cannotPrint, setCannotPrint] = useState(false);
  // Without a stored user, go to the profile, which reads the user.
  if (user === null) return <Redirect to="/profile" />;
  return (
    <PanelPage title="Spare card" lead="For your wallet: works like the code on your phone.">
      <div className={styles.cut}>
        <Card user={user} />
      </div>
      <Panel title="Print it">
        <div className={account.body}>
          <ol className={styles.steps}>
            <li>Print at 100 %, not "fit to page".</li>
            <li>Cut along the dashes: the size of a bank card.</li>
            <li>Keep it like a key. Whoever holds it can play as you.</li>
          </ol>
          {cannotPrint && <FormError>{CANNOT_PRINT}</FormError>}
          <Button onClick={() => setCannotPrint(!printPage())}>Print</Button>
          <p className={account.small}>
            Lost it? <Link to="/account?new-code">Get a new code</Link> and this card stops working.
          </p>
        </div>
      </Panel>
    </PanelPage>
  );
}
