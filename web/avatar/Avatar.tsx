import { avatarColor, jerseyNumber } from '#contract/rules/jersey.ts';
import styles from './Avatar.module.css';
import { BlankJersey, Jersey } from './Jersey.tsx';

type AvatarProps = {
  /** Missing or empty until the profile is complete. */
  username?: string | null;
  color?: string | null;
  number?: string | null;
  className?: string | undefined;
};

/** A player's jersey, or what replaces it (PROD-31). */
export function Avatar({ username, color, number, className }: AvatarProps) {
  const body = avatarColor(color ?? '');
  const digits = jerseyNumber(number ?? '');
  if (!username) return <BlankJersey className={className} />;
  if (body !== null && digits !== null)
    return <Jersey username={username} color={body} number={digits} className={className} />;
  const letter = username.charAt(0).toUpperCase();
  return (
    <div className={styles.letter} role="img" aria-label={letter}>
      {letter}
    </div>
  );
}
