import { Component, type ReactNode } from 'react';

export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="door">
        <div className="door__in">
          <div className="card">
            <h1>Something broke</h1>
            <p className="lead">This page has a mistake of ours. Nothing that you did is lost.</p>
            <button
              className="btn btn--primary btn--lg btn--full"
              type="button"
              onClick={() => window.location.assign('/console/')}
            >
              Open the console again
            </button>
          </div>
        </div>
      </main>
    );
  }
}
