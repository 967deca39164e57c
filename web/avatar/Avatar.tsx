import { avatarColor, jerseyNumber } from '#contract/jersey.ts';
import styles from './Avatar.module.css';
import { BlankJersey, Jersey } from './Jersey.tsx';

type AvatarProps = {
  /** Any of the three may be missing or empty while an account is not set up. */
  username?: string | null;
  color?: string | null;
  number?: string | null;
  className?: string | undefined;
};

/**
 * A player in one of three forms (spec 2): the jersey when colour, number and name are known,
 * else the first letter of the name, else a grey blank.
 */
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
