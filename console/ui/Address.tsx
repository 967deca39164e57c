import type { ReactNode } from 'react';
import { showPlayer } from '../api/calls.ts';
import { playerKey, useChange } from '../api/queries.ts';
import { Failed } from './Notice.tsx';

/**
 * A player's address, masked until staff press the button. Each press writes a line to the audit
 * (P65). `show` is the text of the button, and `children` follow the address.
 */
export function Address({
  account,
  masked,
  show,
  children,
}: {
  account: string;
  masked: string;
  show: ReactNode;
  children?: ReactNode;
}) {
  const showing = useChange(() => showPlayer(account), { stale: [playerKey(account)] });
  if (showing.data)
    return (
      <span className="address" role="status">
        {showing.data.email}
        {children}
      </span>
    );
  return (
    <>
      <span className="address">
        <span aria-hidden="true">{masked}</span>
        <span className="sr">Address hidden</span>
        {children}{' '}
        <button
          className="txt"
          type="button"
          aria-disabled={showing.isPending || undefined}
          onClick={() => showing.isPending || showing.mutate(undefined)}
        >
          {show}
        </button>
      </span>
      {showing.isError && <Failed what="Not shown" error={showing.error} />}
    </>
  );
}
