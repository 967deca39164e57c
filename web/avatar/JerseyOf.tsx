import type { Named } from '#contract/wire/leagues.ts';
import { GreyJersey, Jersey } from './Jersey.tsx';

/** A player's jersey beside the name, so it is decoration. */
export function JerseyOf({
  username,
  avatar_color: color,
  jersey_number: number,
  small = false,
}: Named & { small?: boolean }) {
  return (
    <span aria-hidden="true">
      {username && color && number ? (
        <Jersey username={username} color={color} number={number} small={small} />
      ) : (
        <GreyJersey />
      )}
    </span>
  );
}
