import { codeInPath } from '#contract/rules/pages.ts';
import { useLocation } from '../router.tsx';
import { SubPage } from '../shell/SubPage.tsx';
import { AddFriend } from './AddFriend.tsx';
import { Compare } from './Compare.tsx';
import { Friend } from './Friend.tsx';
import { FriendList } from './FriendList.tsx';

/**
 * The friends pages, in one script: the list, the code to show, the page that the code opens, the
 * comparison.
 */
export function Friends() {
  const { path } = useLocation();
  const code = codeInPath(path)?.code;
  if (code !== undefined) return <Friend key={code} code={code} />;
  if (path === '/friends/add') return <AddFriend />;
  const n = path.slice('/friends/'.length);
  return <SubPage>{n === '' ? <FriendList /> : <Compare key={n} n={n} />}</SubPage>;
}
