import { type ReactNode, useCallback, useState } from 'react';
import { type Ask, useAskBeforeLeaving } from '../router.tsx';
import { DialogButtons } from '../ui/ask.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/**
 * Asks before the person leaves a page with something unsaved. If several are mounted, the first
 * asks about all.
 */
export function AskLeave({
  title,
  verb,
  children,
}: {
  title: string;
  verb: string;
  /** What would be lost. */
  children: ReactNode;
}) {
  const [asked, setAsked] = useState<Parameters<Ask> | null>(null);
  useAskBeforeLeaving(
    children,
    useCallback<Ask>((...all) => setAsked(all), []),
  );
  if (asked === null) return null;
  const [leave, lost] = asked;
  const close = () => setAsked(null);
  return (
    <Dialog title={title} onClose={close}>
      {lost.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <p key={at}>{text}</p>
      ))}
      <DialogButtons verb={verb} look="danger" first busy={false} onAct={leave} onClose={close} />
    </Dialog>
  );
}
