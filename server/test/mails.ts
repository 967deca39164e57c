import type { TestApp } from './app.ts';

/** The newest mail to an address. @throws when there is none. */
export async function mailTo(t: TestApp, email: string) {
  const [mail] = await t.mails(email);
  if (mail === undefined) throw new Error(`no mail to ${email}`);
  return mail;
}

/** The six digits in the newest mail to an address: tests read them where a player does. */
export async function codeFor(t: TestApp, email: string): Promise<string> {
  const code = /\b\d{6}\b/.exec((await mailTo(t, email)).text)?.[0];
  if (code === undefined) throw new Error(`no code in the mail to ${email}`);
  return code;
}

/** What the link in the newest mail to an address carries. */
export async function linkFor(
  t: TestApp,
  email: string,
): Promise<{ email: string; token: string }> {
  const link = /https?:\S+\/reset-password\?\S+/.exec((await mailTo(t, email)).text)?.[0];
  if (link === undefined) throw new Error(`no link in the mail to ${email}`);
  const query = new URL(link).searchParams;
  return { email: query.get('email') ?? '', token: query.get('token') ?? '' };
}
