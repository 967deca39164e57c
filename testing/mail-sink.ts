import { once } from 'node:events';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const PATIENCE_MS = 15_000;

export type ReceivedMail = { to: string; subject: string; text: string; html: string };

/** A real SMTP server that keeps its mails. */
export type MailSink = {
  url: string;
  received: ReceivedMail[];
  /** Returns the next mail to `to` that `wanted` accepts. Returns each mail only once. */
  next(to: string, wanted?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>;
  close(): Promise<void>;
};

export async function startMailSink(): Promise<MailSink> {
  const received: ReceivedMail[] = [];
  const taken = new Set<ReceivedMail>();
  const waiting = new Set<() => void>();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        received.push({
          to: session.envelope.rcptTo[0]?.address ?? '',
          subject: mail.subject ?? '',
          text: mail.text ?? '',
          html: mail.html ?? '',
        });
        for (const wake of waiting) wake();
        done();
      });
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const address = smtp.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    next: async (to, wanted = () => true) => {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        const mail = received.find((one) => one.to === to && !taken.has(one) && wanted(one));
        if (mail) {
          taken.add(mail);
          return mail;
        }
        if (Date.now() > until) throw new Error(`no mail for ${to} within ${PATIENCE_MS} ms`);
        await new Promise<void>((done) => {
          const timer = setTimeout(done, until - Date.now() + 1);
          const wake = () => {
            clearTimeout(timer);
            waiting.delete(wake);
            done();
          };
          waiting.add(wake);
        });
      }
    },
    close: () => new Promise((done) => smtp.close(() => done())),
  };
}

/** @throws Error if the mail has no code */
export function codeIn(mail: ReceivedMail): string {
  const code = /\b(\d{6})\b/.exec(mail.text)?.[1];
  if (code === undefined) throw new Error(`no code in: ${mail.text}`);
  return code;
}
export function linkIn(mail: ReceivedMail): string {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0];
  if (link === undefined) throw new Error(`no link in: ${mail.text}`);
  return link;
}
