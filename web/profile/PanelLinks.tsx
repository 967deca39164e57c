import { type Address, Link } from '../router.tsx';
import styles from './PanelLinks.module.css';

type PanelLinksProps = {
  label: string;
  links: readonly { to: Address; name: string }[];
};

export function PanelLinks({ label, links }: PanelLinksProps) {
  return (
    <nav className={styles.links} aria-label={label}>
      {links.map(({ to, name }) => (
        <Link key={to} to={to}>
          {name}
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m9 5 7 7-7 7" />
          </svg>
        </Link>
      ))}
    </nav>
  );
}
