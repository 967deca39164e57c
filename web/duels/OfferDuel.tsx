import type { ComponentProps } from 'react';
import { Later, NotLoaded, script, useSheet } from '../shell/Later.tsx';
import { Button } from '../ui/Button.tsx';

const offerSheet = script(() => import('./OfferSheet.tsx').then((m) => m.OfferSheet));

type OfferToProps = { rival: string | undefined; onClose: () => void };

/** The sheet that offers a duel. Its script loads when the sheet opens. */
export function OfferTo(props: OfferToProps) {
  const OfferSheet = offerSheet();
  return (
    <Later instead={<NotLoaded />}>
      <OfferSheet {...props} />
    </Later>
  );
}

type OfferDuelProps = Pick<ComponentProps<typeof Button>, 'look'> & {
  /** The preselected rival. */
  rival?: string | undefined;
  words?: string;
};

/** The button that opens the sheet. */
export function OfferDuel({ rival, look = 'quiet', words = 'Offer a duel' }: OfferDuelProps) {
  const { opened, open, close } = useSheet();
  return (
    <>
      <Button look={look} aria-haspopup="dialog" onClick={open}>
        {words}
      </Button>
      {opened > 0 && <OfferTo key={opened} rival={rival} onClose={close} />}
    </>
  );
}
