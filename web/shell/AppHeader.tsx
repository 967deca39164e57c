import { Link, navigate, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Menu } from '../ui/Menu.tsx';
import { Wordmark } from '../ui/Page.tsx';
import styles from './AppHeader.module.css';
import { ROOM_NAMES, roomAt } from './rooms.ts';
import { EDIT_PROFILE } from './ToProfile.tsx';

const SHIRT = 'M7.5 3.5 4 5v4l2.5 1v10.5h11V10L20 9V5l-3.5-1.5c-.5 2.5-2 3.5-4.5 3.5s-4-1-4.5-3.5Z';
const PERSON = 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20.5c.8-4.5 3.5-6.5 7.5-6.5s6.7 2 7.5 6.5';
const DOOR = 'M10 4H5v16h5M10 12h10m-4-4 4 4-4 4';

type AppHeaderProps = {
  onEdit?: () => void;
};

export function AppHeader({ onEdit }: AppHeaderProps) {
  const { logout } = useAuth();
  const { path } = useLocation();
  const room = roomAt(path) ?? '/profile';
  const editThere = () => navigate('/profile', { state: EDIT_PROFILE });
  return (
    <header className={styles.bar}>
      <div className={styles.inside}>
        <div className={styles.back}>
          {room !== path && (
            <Link to={room} aria-label={`Back to ${ROOM_NAMES[room].toLowerCase()}`}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M19 12H5m6-7-7 7 7 7" />
              </svg>
            </Link>
          )}
        </div>
        <div className={styles.home}>
          <Link to="/profile">
            <Wordmark height={34} />
          </Link>
        </div>
        <Menu
          items={[
            { label: 'Edit Profile', icon: SHIRT, run: onEdit ?? editThere },
            { label: 'Account', icon: PERSON, run: () => navigate('/account') },
            { label: 'Sign Out', icon: DOOR, run: () => logout() },
          ]}
        />
      </div>
    </header>
  );
}
