import { type ReactNode, useEffect, useState } from 'react';
import type { ConfigAnswer } from '#contract/wire/accounts.ts';
import { getConfig } from '../api/config.ts';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { titled } from '../ui/brand.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import styles from './LegalPage.module.css';

/** The effective date of both legal texts (PROD-58). */
const EFFECTIVE = '2021-07-27';
/** The texts name this age, or the operator's minimum age if that is higher. */
const AGE_THRESHOLD = 13;
const BRAND = 'Backboard';

type Words = {
  brand: string;
  age: number;
  contact: ReactNode;
};

/** `children` gets the installation's brand and contact. */
export function LegalPage({
  title,
  children,
}: {
  title: string;
  children: (words: Words) => ReactNode;
}) {
  const { api } = useAuth();
  const [config, setConfig] = useState<ConfigAnswer | null>(null);
  useEffect(() => {
    getConfig(api).then(setConfig, (error: unknown) =>
      console.error('The configuration could not be read.', error),
    );
  }, [api]);

  const brand = config?.brand ?? BRAND;
  const age = Math.max(AGE_THRESHOLD, config?.min_age ?? 0);
  const contact = config ? (
    <>
      write to <a href={`mailto:${config.support_email}`}>{config.support_email}</a>
    </>
  ) : (
    'write to us'
  );
  return (
    <Page court={false}>
      <title>{titled(title)}</title>
      <header className={styles.header}>
        <Link to="/" className={styles.home}>
          <Wordmark height={40} />
        </Link>
      </header>
      <Column>
        <article className={styles.text}>
          <h1 className="display">{title}</h1>
          <p className={styles.date}>
            Effective <time dateTime={EFFECTIVE}>{EFFECTIVE}</time>
          </p>
          {children({ brand, age, contact })}
        </article>
      </Column>
    </Page>
  );
}
