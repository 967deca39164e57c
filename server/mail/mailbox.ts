import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { MAIL_HEADERS, MAILBOX_HEADERS } from '../http/headers.ts';
import { html } from '../http/html.ts';
import { hasDevelopmentPages, localOnly } from '../http/local.ts';
import type { App } from '../http/scope.ts';

const LISTED_MAX = 100;

const mailInList = z.object({
  id: z.number().int(),
  sent_at: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
});

const page = (brand: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mailbox · ${brand}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/dev/mailbox/mailbox.css">
<script src="/dev/mailbox/mailbox.js" type="module"></script>
</head>
<body>
<header><h1>Mailbox</h1><p>Mails of this installation stay here: SMTP_URL is not set.</p></header>
<main>
<nav aria-label="Mails"><p id="state" role="status">Loading…</p><ol id="list"></ol></nav>
<article id="mail" hidden>
<h2 id="subject"></h2>
<p>To <strong id="recipient"></strong>, <time id="sent"></time></p>
<div class="views"><section><h3>HTML</h3><iframe id="html" title="The mail as HTML"></iframe></section>
<section><h3>Text</h3><pre id="text"></pre></section></div>
</article>
</main>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;

/** The routes of /dev/mailbox. They do not exist in production or with SMTP_URL. */
export function mailboxRoutes(
  app: App,
  { config, db }: { config: Pick<Config, 'smtp_url' | 'production' | 'brand'>; db: Database },
): void {
  if (!hasDevelopmentPages(config)) return;
  // Do not log requests: an open mailbox polls every second.
  const options = {
    logLevel: 'warn' as const,
    schema: { hide: true },
    onRequest: localOnly('The mailbox'),
  };

  app.get('/dev/mailbox', options, (_request, reply) =>
    reply.headers(MAILBOX_HEADERS).type('text/html; charset=utf-8').send(page(config.brand).markup),
  );

  for (const [name, type] of [
    ['mailbox.js', 'text/javascript'],
    ['mailbox.css', 'text/css'],
  ] as const)
    app.get(`/dev/mailbox/${name}`, options, async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type(`${type}; charset=utf-8`)
        .send(await readFile(join(import.meta.dirname, name))),
    );

  app.get(
    '/dev/mailbox/api/',
    {
      ...options,
      schema: { hide: true, response: { 200: z.object({ results: z.array(mailInList) }) } },
    },
    async (_request, reply) => {
      const rows = await db
        .selectFrom('kept_mails')
        .select(['id', 'sent_at', 'recipient', 'subject', 'text'])
        .orderBy('id', 'desc')
        .limit(LISTED_MAX)
        .execute();
      reply.header('cache-control', 'no-store');
      return { results: rows.map((row) => ({ ...row, sent_at: row.sent_at.toISOString() })) };
    },
  );

  app.get(
    '/dev/mailbox/html/:id/',
    { ...options, schema: { hide: true, params: z.object({ id: z.coerce.number().int() }) } },
    async (request, reply) => {
      const mail = await db
        .selectFrom('kept_mails')
        .select('html')
        .where('id', '=', request.params.id)
        .executeTakeFirst();
      if (!mail) throw notFound('This mail is not here any more.');
      return reply
        .headers(MAIL_HEADERS)
        .type('text/html; charset=utf-8')
        .send(mail.html.replace('<head>', '<head><base target="_blank">'));
    },
  );
}
