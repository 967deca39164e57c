import { type CSSProperties, type Ref, type RefObject, useLayoutEffect } from 'react';
import { avatarColor, DEFAULT_AVATAR_COLOR } from '#contract/rules/jersey.ts';
import type { User } from '#contract/wire/profile.ts';
import { Avatar } from '../avatar/Avatar.tsx';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import panel from '../ui/Panel.module.css';
import { LastGame } from './LastGame.tsx';
import { useStrips } from './load-strips.ts';
import styles from './Pass.module.css';
import { QrCode } from './QrCode.tsx';
import type { Mode } from './team.ts';

export function CourtLines() {
  return (
    <svg
      className={styles.lines}
      viewBox="0 0 400 252"
      preserveAspectRatio="xMidYMin slice"
      aria-hidden="true"
    >
      <path d="M28 -10V70a172 172 0 0 0 344 0V-10M118 -10V120H282V-10" />
      <circle cx="200" cy="120" r="82" />
    </svg>
  );
}

/** A name's width in letters. An M or W counts as one and a half. */
const lettersWide = (name: string) => name.length + (name.match(/[mw]/gi)?.length ?? 0) / 2;

type PassProps = {
  user: User;
  mode: Mode;
  name: RefObject<HTMLHeadingElement | null>;
  /** Whether the name takes the focus. True after navigation within the app. */
  takesFocus: boolean;
  onShow: () => void;
  /** The button that calls `onShow`. */
  opener: Ref<HTMLButtonElement>;
  line: Ref<HTMLAnchorElement>;
};

/** The player's jersey, name and code, drawn as a ticket (LOOK-04). */
export function Pass({ user, mode, name, takesFocus, onShow, opener, line }: PassProps) {
  const strips = useStrips();
  useLayoutEffect(() => {
    if (takesFocus) name.current?.focus({ preventScroll: true });
  }, [takesFocus, name]);
  const player = user.username === '' ? 'var(--net)' : avatarColor(user.avatar_color ?? '');
  return (
    <section
      className={`${styles.pass} ${panel.left}`}
      aria-labelledby="player"
      data-player
      style={{ '--player': player ?? DEFAULT_AVATAR_COLOR } as CSSProperties}
    >
      <div className={styles.top}>
        <CourtLines />
        <Avatar
          username={user.username}
          color={user.avatar_color}
          number={user.jersey_number}
          className={styles.jersey}
        />
        <div className={styles.who}>
          <h1
            ref={name}
            id="player"
            tabIndex={-1}
            className={user.username === '' ? 'sr' : `display ${styles.name}`}
            style={{ '--letters': Math.max(7, lettersWide(user.username)) } as CSSProperties}
          >
            {user.username === '' ? 'Profile' : <NameBreaks name={user.username} />}
          </h1>
          <p className={styles.email}>
            <NameBreaks name={user.email} />
          </p>
        </div>
      </div>
      <div className={styles.perforation} aria-hidden="true" />
      <QrCode uuid={user.uuid} mode={mode} onShow={onShow} opener={opener} />
      {strips && <strips.ContestLine mode={mode} />}
      <LastGame played={user.user_stat.games_played > 0} line={line} />
    </section>
  );
}
