import type { Database } from '../../server/db/database.ts';
import type { Schema } from '../../server/db/schema.ts';

export type KeptMail = Pick<Schema['kept_mails'], 'recipient' | 'subject' | 'text' | 'html'>;

/** Mails to `to`, or to all, newest first. */
export function keptMails(db: Database, to?: string): Promise<KeptMail[]> {
  return db
    .selectFrom('kept_mails')
    .select(['recipient', 'subject', 'text', 'html'])
    .$if(to !== undefined, (query) => query.where('recipient', '=', to ?? ''))
    .orderBy('id', 'desc')
    .execute();
}

type HasMails = { mails(to?: string): Promise<KeptMail[]> };

/** The newest mail to an address. @throws Error if there is no mail */
export async function mailTo(t: HasMails, email: string) {
  const [mail] = await t.mails(email);
  if (mail === undefined) throw new Error(`no mail to ${email}`);
  return mail;
}

export async function codeFor(t: HasMails, email: string): Promise<string> {
  const code = /\b\d{6}\b/.exec((await mailTo(t, email)).text)?.[0];
  if (code === undefined) throw new Error(`no code in the mail to ${email}`);
  return code;
}

/** The parameters of the reset link in the newest mail. */
export async function linkFor(
  t: HasMails,
  email: string,
): Promise<{ email: string; token: string }> {
  const link = /https?:\S+\/reset-password\?\S+/.exec((await mailTo(t, email)).text)?.[0];
  if (link === undefined) throw new Error(`no link in the mail to ${email}`);
  const query = new URL(link).searchParams;
  return { email: query.get('email') ?? '', token: query.get('token') ?? '' };
}
