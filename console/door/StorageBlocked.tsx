import { blockedText } from '../../web/ui/blocked-text.ts';
import { Door } from './Door.tsx';

/** Replaces every page while the browser blocks storage (PROD-167). */
export function StorageBlocked() {
  return (
    <Door title="Storage is blocked">
      <p className="lead">{blockedText(window.location.host)}</p>
      <button
        className="btn btn--primary btn--lg btn--full"
        type="button"
        onClick={() => window.location.reload()}
      >
        Load again
      </button>
    </Door>
  );
}
