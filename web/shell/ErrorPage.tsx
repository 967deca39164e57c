import { Component, type ReactNode } from 'react';
import { ACCESS_KEY } from '../session/session.ts';
import { Rim } from '../ui/Board.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { titled } from '../ui/brand.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { reloadOnce } from '../ui/reload-once.ts';
import styles from './ErrorPage.module.css';

function AirBall() {
  return (
    <svg className={styles.airBall} viewBox="0 0 360 250" aria-hidden="true">
      <rect className={styles.glass} x="20" y="6" width="230" height="150" rx="18" />
      <rect className={styles.square} x="94" y="70" width="82" height="62" rx="3" />
      <Rim transform="translate(61 150)" />
      <path className={styles.path} d="M356 8C322 12 288 34 264 66" />
      <path className={styles.path} d="M266 82C286 104 298 136 301 170" />
      <circle className={styles.ball} cx="300" cy="212" r="30" />
    </svg>
  );
}

/** `text` as in "404 Not Found" (PROD-03). */
export function ErrorPage({ text }: { text: string }) {
  return (
    <Page>
      <title>{titled('Error')}</title>
      <Column>
        {/* A page load discards the broken state. */}
        <a className={styles.home} href="/">
          <Wordmark height={40} />
        </a>
        <AirBall />
        <h1 className={`display ${styles.title}`}>Unexpected Application Error!</h1>
        <p className={`lead ${styles.text}`}>{text}</p>
        <a className={`${buttonClass('primary')} ${styles.back}`} href="/">
          {localStorage.getItem(ACCESS_KEY) === null ? 'Back to login' : 'To my profile'}
        </a>
      </Column>
    </Page>
  );
}

type Caught = { error: unknown };
type State = { caught: Caught | null; shown: boolean };

/** Shows an error that nothing else caught, unless a reload may help (PROD-161). */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { caught: null, shown: false };

  static getDerivedStateFromError(error: unknown): Pick<State, 'caught'> {
    return { caught: { error } };
  }

  override async componentDidCatch() {
    if (!(await reloadOnce())) this.setState({ shown: true });
  }

  override render(): ReactNode {
    const { caught, shown } = this.state;
    if (caught === null) return this.props.children;
    if (!shown) return null;
    return (
      <ErrorPage
        text={caught.error instanceof Error ? caught.error.message : String(caught.error)}
      />
    );
  }
}
