import type { Database } from '../db/database.ts';

const KEPT_MAX = 500;

/** Stores a mail for /dev/mailbox. Keeps the newest KEPT_MAX mails. */
export async function keepMail(
  db: Database,
  sent_at: Date,
  mail: { to: string; subject: string; text: string; html: string },
): Promise<void> {
  const { to: recipient, subject, text, html } = mail;
  const { id } = await db
    .insertInto('kept_mails')
    .values({ sent_at, recipient, subject, text, html })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .deleteFrom('kept_mails')
    .where('id', '<=', id - KEPT_MAX)
    .execute();
}
