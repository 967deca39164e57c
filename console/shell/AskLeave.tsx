import { type ReactNode, useCallback, useState } from 'react';
import { useAskBeforeLeaving } from '../router.tsx';
import { DialogButtons } from '../ui/ask.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/**
 * Mount it while something on the page would be lost. Asks before the person leaves the page;
 * Cancel stays.
 */
export function AskLeave({
  title,
  verb,
  children,
}: {
  title: string;
  verb: string;
  children: ReactNode;
}) {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useAskBeforeLeaving(useCallback((go: () => void) => setLeave(() => go), []));
  if (leave === null) return null;
  const close = () => setLeave(null);
  return (
    <Dialog title={title} onClose={close}>
      <p>{children}</p>
      <DialogButtons verb={verb} look="danger" first busy={false} onAct={leave} onClose={close} />
    </Dialog>
  );
}
