import { type Address, Link } from '../router.tsx';
import { Chevron } from '../ui/Chevron.tsx';
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
          <Chevron />
        </Link>
      ))}
    </nav>
  );
}
