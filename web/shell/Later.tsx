import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { FormError } from '../ui/FormError.tsx';
import { reloadOnce } from '../ui/reload-once.ts';

/** In place of a sheet that did not load: another tap loads it, or reloads the page. */
export const NotLoaded = () => (
  <FormError noSignal>This did not load. Tap again when you have a signal.</FormError>
);

/**
 * The script of a sheet, for the children of a `Later`. Returns a function that gives its component.
 * After a failure it gives another one, which imports again: a component of `lazy` keeps its failure.
 */
export function script<P>(load: () => Promise<ComponentType<P>>) {
  const begin = () =>
    lazy(() =>
      load().then(
        (Sheet) => ({ default: Sheet }),
        (error: unknown) => {
          current = begin();
          throw error;
        },
      ),
    );
  let current = begin();
  return () => current;
}

/**
 * Whether a sheet is open. `opened`, 0 while it is closed, is the key of its `Later`, so that
 * reopening loads it again.
 */
export function useSheet(open = false) {
  const [opened, setOpened] = useState(open ? 1 : 0);
  return { opened, open: () => setOpened(opened + 1), close: () => setOpened(0) };
}

type LaterProps = { children: ReactNode; instead?: ReactNode; waiting?: ReactNode };

/**
 * A part of a page that has its own script. `waiting` stands there until it is loaded. If it does
 * not load, `instead` takes its place and the rest of the page stays (REL-21); if the server can be
 * reached, the page reloads (PROD-161).
 */
export class Later extends Component<LaterProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    void reloadOnce();
  }

  override render(): ReactNode {
    const { children, instead = null, waiting = null } = this.props;
    return this.state.failed ? instead : <Suspense fallback={waiting}>{children}</Suspense>;
  }
}
