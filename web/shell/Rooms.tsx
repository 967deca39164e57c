import type { ReactNode } from 'react';
import { isPlainClick, navigate, useLocation } from '../router.tsx';
import styles from './Rooms.module.css';
import { ROOM_NAMES, ROOMS, type Room, roomAt } from './rooms.ts';

const SIGNS: Record<Room, ReactNode> = {
  '/profile': (
    <>
      <path
        d="M20.5 11.5V7A3.5 3.5 0 0 0 17 3.5H7A3.5 3.5 0 0 0 3.5 7v10A3.5 3.5 0 0 0 7 20.5h4.5"
        strokeWidth="2.6"
      />
      <circle className={`${styles.fill} ${styles.ball}`} cx="18" cy="18" r="3.4" />
    </>
  ),
  '/games': (
    <>
      <path d="M3.5 6.5h6M3.5 12h6M3.5 17.5h6" strokeWidth="2.6" />
      <circle className={styles.fill} cx="17" cy="6.5" r="2.6" />
      <circle className={styles.fill} cx="17" cy="17.5" r="2.6" />
      <path d="M14.4 12h5.2" />
    </>
  ),
  '/league': (
    <>
      <rect className={styles.fill} x="3.5" y="4.5" width="17" height="6" rx="2" />
      <rect x="3.5" y="13.5" width="17" height="6" rx="2" />
    </>
  ),
  '/leaderboard': (
    <>
      <path className={styles.fill} d="M9 20V5.5A1.5 1.5 0 0 1 10.5 4h3A1.5 1.5 0 0 1 15 5.5V20Z" />
      <path d="M9 11H5a1.5 1.5 0 0 0-1.5 1.5V20h17v-5a1.5 1.5 0 0 0-1.5-1.5h-4" />
    </>
  ),
};

type RoomsProps = {
  /** Whether a new score lies on the pass and is not in view (HAND-08). */
  hasScore?: boolean;
  onRoom?: (room: Room) => void;
};

/** The bar of the four rooms (HAND-30 to HAND-35). */
export function Rooms({ hasScore = false, onRoom = navigate }: RoomsProps) {
  const { path } = useLocation();
  const current = roomAt(path);
  return (
    <nav className={styles.rooms} aria-label="Rooms">
      <ul>
        {ROOMS.map((room) => {
          const isNew = hasScore && room === '/profile';
          return (
            <li key={room}>
              <a
                href={room}
                aria-current={room === path ? 'page' : room === current ? 'true' : undefined}
                aria-label={isNew ? 'Pass, new score' : undefined}
                className={isNew ? styles.new : undefined}
                onClick={(event) => {
                  if (!isPlainClick(event)) return;
                  event.preventDefault();
                  onRoom(room);
                }}
              >
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  {SIGNS[room]}
                </svg>
                <span className={styles.name}>{ROOM_NAMES[room]}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
