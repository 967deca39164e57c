import { Link } from '../router.tsx';

/** Router state that makes the profile open Edit Profile. */
export const EDIT_PROFILE = 'edit-profile';
/** Router state that makes the profile show the code on the whole screen. */
export const SHOW_CODE = { code: 'shown' };

/** The link to the code, for pages with nothing else to show. */
export function ShowMyCode({ className }: { className: string }) {
  return (
    <Link className={className} to="/profile" state={SHOW_CODE}>
      Show my code
    </Link>
  );
}
