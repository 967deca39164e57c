import { type ReactNode, useEffect, useState } from 'react';
import type { ConfigAnswer } from '#contract/accounts.ts';
import { getConfig } from '../api/config.ts';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import styles from './LegalPage.module.css';

/** Spec 9: the date both texts carry. */
const EFFECTIVE = '2021-07-27';
/** Spec 9: nobody younger has an account, unless the operator's own limit is higher. */
const AGE_THRESHOLD = 13;
/** What the service is called until the configuration says otherwise. */
const BRAND = 'Backboard';

type Words = {
  brand: string;
  /** The age from which on one may have an account. */
  age: number;
  /** The end of a sentence: how to reach the operator. */
  contact: ReactNode;
};

/** The frame of a static page; its text is given the brand and the contact of this installation. */
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
      <title>{`${title} · ${brand}`}</title>
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
