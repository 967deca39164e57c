import type { FastifyBaseLogger } from 'fastify';
import type { Transporter } from 'nodemailer';
import { fromKysely, type Job } from 'pg-boss';
import { z } from 'zod';
import { isEmail } from '#contract/email.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../db/jobs.ts';
import { maskEmail } from '../log.ts';
import { keepMail } from './kept.ts';
import { seal, unseal } from './seal.ts';

/** One mail to one address, both forms written out; after `valid_until` it is not worth sending. */
export type Message = {
  to: string;
  subject: string;
  text: string;
  html: string;
  valid_until: Date | null;
};

/** How the outbox does: what waits in it, and what this process has tried, by outcome. */
export type MailFigures = { waiting: number; attempts: Readonly<Record<string, number>> };

/** The outbox. `db` is the transaction of the change that the mail tells about (P25). */
export type Mail = {
  enqueue(db: Database, message: Message): Promise<void>;
  /** @throws what the database throws. */
  figures(): Promise<MailFigures>;
};

/** The outbox with its worker. */
export type Outbox = Mail & {
  /** Begins to send what is in the outbox. */
  work(): Promise<void>;
  /** Stops between messages (P41); what is not sent stays in the outbox. */
  stop(): Promise<void>;
};

const QUEUE = 'mail';
/** P38 */
export const SMTP_TIMEOUTS_MS = { connect: 10_000, total: 20_000 };
/** A message that is on its way when the process is told to stop has this long to arrive (P41). */
const STOP_PATIENCE_MS = 5_000;
/** A notice without an end of its own is given up after as long as mail servers keep trying. */
const NOTICE_LIFE_MS = 4 * 24 * 3600 * 1000;
/** After 2 s, 4 s, 8 s … 60 s, with some chance in it, until the message's life ends (P25, REL-11). */
const RETRY = { retryLimit: 10_000, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 };
/** Longer than `SMTP_TIMEOUTS_MS.total`; then the worker must have died, and another sends it. */
const EXPIRE_S = 30;
const KEEP_UNSENT_S = 5 * 24 * 3600;
const KEEP_SENT_S = 3600;
/** Wakes are immediate; polling finds what a lost connection missed, and retries. */
const POLL = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };

const letter = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  until: z.coerce.date(),
});
type Letter = z.infer<typeof letter>;

/** Sends one letter. @throws when it has not been accepted. */
type Send = (id: string, mail: Letter, signal: AbortSignal) => Promise<void>;

/** What may be written down of a failed attempt: servers repeat the address in their answers (P42). */
type Outcome = { code: string; command?: string; answer?: number };

function outcome(error: unknown): Outcome {
  const { code, command, responseCode } = Object(error);
  return {
    code: String(code ?? 'unknown'),
    ...(command === undefined ? {} : { command: String(command) }),
    ...(responseCode === undefined ? {} : { answer: Number(responseCode) }),
  };
}

/** The receiving side says that this message will never be taken; trying again only does harm. */
function isRefused({ code, command, answer = 0 }: Outcome): boolean {
  return answer >= 500 && command !== 'MAIL FROM' && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** Tells the queue to try again, and keeps there no more than may be written down. */
class NotSent extends Error {
  constructor(why: Outcome) {
    super(Object.values(why).join(' '));
  }
}

function smtp(
  url: string,
  config: Pick<Config, 'mail_from' | 'public_url'>,
  timeouts: typeof SMTP_TIMEOUTS_MS,
): Send {
  // What is missing is said at the start, and loaded with the first mail.
  import.meta.resolve('nodemailer');
  let transport: Transporter | undefined;
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: timeouts.connect,
      greetingTimeout: timeouts.connect,
      dnsTimeout: timeouts.connect,
      socketTimeout: timeouts.total,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
  const host = new URL(config.public_url).hostname;
  return async (id, { to, subject, text, html }, signal) => {
    transport ??= await open();
    await transport.sendMail({
      from: config.mail_from,
      // Structured: an address is never read as a header (P25).
      to: { name: '', address: to },
      subject,
      text,
      html,
      // The same at every attempt, so that a mailbox can tell a repeated delivery.
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.total)]),
    });
  };
}

/**
 * The outbox on the given queues. `enqueue` adds to the transaction it is given, so that a mail
 * leaves exactly when its cause was stored, and seals what it writes (P25). Without SMTP_URL the
 * worker keeps the mails for /dev/mailbox instead of sending them.
 *
 * `enqueue` @throws when the address is not one plain address or the subject has a line break.
 */
export async function createMail({
  config,
  jobs: { boss },
  db,
  clock,
  log,
  timeouts = SMTP_TIMEOUTS_MS,
}: {
  config: Pick<Config, 'secret_keys' | 'smtp_url' | 'mail_from' | 'public_url'>;
  jobs: Jobs;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  timeouts?: typeof SMTP_TIMEOUTS_MS;
}): Promise<Outbox> {
  const options = {
    ...RETRY,
    expireInSeconds: EXPIRE_S,
    retentionSeconds: KEEP_UNSENT_S,
    deleteAfterSeconds: KEEP_SENT_S,
    notify: true,
  };
  await boss.createQueue(QUEUE, options);
  // A queue that an earlier version made takes this version's options.
  await boss.updateQueue(QUEUE, options);

  const send: Send =
    config.smtp_url === null
      ? (_id, mail) => keepMail(db, clock.now(), mail)
      : smtp(config.smtp_url, config, timeouts);
  const hurry = new AbortController();
  const attempts = { sent: 0, failed: 0, dropped: 0 };

  /** @throws NotSent when it has to be tried again. */
  async function deliver({ id, data }: Job<{ sealed: string }>): Promise<void> {
    const mail = letter.safeParse(unseal(config, data.sealed)).data;
    const drop = (about: object, why: string) => {
      attempts.dropped += 1;
      log.error(about, `mail dropped: ${why}`);
    };
    if (!mail) return drop({ mail: id }, 'no key of SECRET_KEY opens it');
    const about = { mail: id, to: maskEmail(mail.to) };
    if (mail.until <= clock.now()) return drop(about, 'it could not be sent while it was of use');
    try {
      await send(id, mail, hurry.signal);
      attempts.sent += 1;
      log.info(about, 'mail sent');
    } catch (error) {
      const why = outcome(error);
      if (isRefused(why)) return drop({ ...about, ...why }, 'the receiving server refuses it');
      attempts.failed += 1;
      log.warn({ ...about, ...why }, 'mail not sent yet');
      throw new NotSent(why);
    }
  }

  return {
    enqueue: async (transaction, { to, subject, text, html, valid_until }) => {
      if (!isEmail(to)) throw new Error('A mail goes to one plain address.');
      if (/[\r\n]/.test(subject)) throw new Error('A subject has no line breaks.');
      const until = valid_until ?? new Date(clock.now().getTime() + NOTICE_LIFE_MS);
      const sealed = seal(config, { to, subject, text, html, until });
      await boss.send(QUEUE, { sealed }, { db: fromKysely(transaction) });
    },
    // Counted anew by the queues every few seconds.
    figures: async () => ({
      waiting: (await boss.getQueue(QUEUE))?.queuedCount ?? 0,
      attempts,
    }),
    // One message at a time: of several that are on their way when the process is killed, each could
    // arrive twice; of one, only that (REL-11). More processes send more.
    work: async () => {
      let worker = '';
      worker = await boss.work<{ sealed: string }>(QUEUE, POLL, async ([job]) => {
        try {
          if (job) await deliver(job);
        } finally {
          // There may be more: look at once, not after the next pause.
          boss.notifyWorker(worker);
        }
      });
    },
    stop: async () => {
      const timer = setTimeout(() => hurry.abort(), STOP_PATIENCE_MS);
      await boss.offWork(QUEUE, { wait: true });
      clearTimeout(timer);
    },
  };
}
