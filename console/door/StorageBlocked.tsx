import { blockedText } from '../../web/ui/blocked-text.ts';
import { Button } from '../ui/Button.tsx';
import { Door } from './Door.tsx';

/** Replaces every page while the browser blocks storage (PROD-167). */
export function StorageBlocked() {
  return (
    <Door title="Storage is blocked">
      <p className="lead">{blockedText(window.location.host)}</p>
      <Button look="primary lg full" onClick={() => window.location.reload()}>
        Load again
      </Button>
    </Door>
  );
}
