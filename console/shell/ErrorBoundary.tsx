import { Component, type ReactNode } from 'react';
import { reloadOnce } from '../../web/ui/reload-once.ts';
import { Button } from '../ui/Button.tsx';

type State = { failed: boolean; shown: boolean };

/** Shows that an error was not caught, unless a reload may help (PROD-161). */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false, shown: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override async componentDidCatch() {
    if (!(await reloadOnce())) this.setState({ shown: true });
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    if (!this.state.shown) return null;
    return (
      <main className="door">
        <div className="door__in">
          <div className="card">
            <h1>Something broke</h1>
            <p className="lead">Something went wrong on our side. Nothing that you did is lost.</p>
            <Button look="primary lg full" onClick={() => window.location.assign('/console/')}>
              Open the console again
            </Button>
          </div>
        </div>
      </main>
    );
  }
}
