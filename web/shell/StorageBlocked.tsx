import { Button } from '../ui/Button.tsx';
import { blockedText } from '../ui/blocked-text.ts';
import { titled } from '../ui/brand.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import styles from './ErrorPage.module.css';

/** In place of every page while the browser blocks storage (PROD-167). */
export function StorageBlocked() {
  return (
    <Page>
      <title>{titled('Storage is blocked')}</title>
      <Column>
        <div className={styles.home}>
          <Wordmark height={40} />
        </div>
        <h1 className={`display ${styles.title}`}>Storage is blocked</h1>
        <p className={`lead ${styles.text}`}>{blockedText(window.location.host)}</p>
        <div className={styles.back}>
          <Button onClick={() => window.location.reload()}>Load again</Button>
        </div>
      </Column>
    </Page>
  );
}
