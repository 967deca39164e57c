import { Link } from '../router.tsx';

/** Handed to the profile with the step there: it opens Edit Profile. */
export const EDIT_PROFILE = 'edit-profile';
/** The same: it shows the code on the whole screen. */
export const SHOW_CODE = { code: 'shown' };

/** The way to the code, from wherever there is nothing else to see. */
export function ShowMyCode({ className }: { className: string }) {
  return (
    <Link className={className} to="/profile" state={SHOW_CODE}>
      Show my code
    </Link>
  );
}
