import { Link } from '../router.tsx';

/** `Ines, Marek and Lena` */
export const namesOf = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);

/** Who gets mails about machines. If nobody does, links to the form for one's own address. */
export function MailsTo({ names }: { names: readonly string[] }) {
  if (names.length > 0) return <>Mails about machines go to {namesOf(names)}.</>;
  return (
    <>
      Nobody gets mails about machines. <Link to="/console/more?mails">Get them yourself</Link>
    </>
  );
}
