import { Link } from '../router.tsx';

/** Router state: the profile opens Edit Profile. */
export const EDIT_PROFILE = 'edit-profile';
/** Router state: the profile shows the player's code full screen. */
export const SHOW_CODE = { code: 'shown' };

/** A link to the player's code, for pages where the next step is to play. */
export function ShowMyCode({ className }: { className: string }) {
  return (
    <Link className={className} to="/profile" state={SHOW_CODE}>
      Show my code
    </Link>
  );
}
