import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Transporter } from 'nodemailer';
import { fromKysely, type Job } from 'pg-boss';
import { z } from 'zod';
import { isEmail } from '#contract/rules/email.ts';
import { TELL_AFTER_S } from '#contract/rules/inbox.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../db/jobs.ts';
import { seal, unseal } from '../keys.ts';
import { maskEmail } from '../log.ts';
import { keepMail } from './kept.ts';

/**
 * A mail. Sending is tried until `valid_until`, or for NOTICE_LIFE_MS if that is null. A mail with a
 * `player_id` is dropped once that account is deleted (P30e).
 */
export type Message = {
  to: string;
  subject: string;
  text: string;
  html: string;
  valid_until: Date | null;
  player_id?: number;
};

/** `attempts`: this process's attempts, by outcome. */
export type MailFigures = { waiting: number; attempts: Readonly<Record<string, number>> };

/** A request to join a team that staff declined, by player and team. */
export type Declined = { player_id: number; team_id: number };

/**
 * `enqueue` takes the transaction that causes the mail (P25). A mail about a `declined` request
 * waits TELL_AFTER_S, and is dropped if staff have undone the answer meanwhile (OPS-17).
 */
export type Mail = {
  enqueue(db: Database, message: Message, declined?: Declined): Promise<void>;
  figures(): Promise<MailFigures>;
  /** The oldest waiting mails, at most `limit`. */
  listWaiting(limit: number): Promise<{ since: Date; tries: number }[]>;
};

export type Outbox = Mail & {
  work(): Promise<void>;
  /** Stops after the message in transit (P41). Unsent mails stay. */
  stop(): Promise<void>;
};

const QUEUE = 'mail';
/** The timeouts of P38. */
export const SMTP_TIMEOUTS_MS = { connect: 10_000, total: 20_000 };
/** How long a message in transit may take at shutdown (P41). */
const STOP_TIMEOUT_MS = 5_000;
/** A mail without `valid_until` is retried for this long. */
const NOTICE_LIFE_MS = 4 * 24 * 3600 * 1000;
/** Retries after 2 s, 4 s, 8 s … 60 s with jitter, until the mail expires (P25, REL-11). */
const RETRY = { retryLimit: 10_000, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 };
/** After this long, a mail's worker counts as dead. Must exceed `SMTP_TIMEOUTS_MS.total`. */
const EXPIRE_S = 30;
const KEEP_UNSENT_S = 5 * 24 * 3600;
const KEEP_SENT_S = 3600;
/** Notifications wake the worker; polling finds retries, and mails whose notification was lost. */
const POLL = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };

const sealedMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  until: z.coerce.date(),
  player_id: z.number().optional(),
  declined: z.object({ player_id: z.number(), team_id: z.number() }).optional(),
});
type SealedMail = z.infer<typeof sealedMail>;

type Send = (id: string, mail: SealedMail, signal: AbortSignal) => Promise<void>;

/** The part of an error that may be logged. The rest may contain the address (P42). */
type Failure = { code: string; command?: string; answer?: number };

function failureOf(error: unknown): Failure {
  const { code, command, responseCode } = Object(error);
  return {
    code: String(code ?? 'unknown'),
    ...(command === undefined ? {} : { command: String(command) }),
    ...(responseCode === undefined ? {} : { answer: Number(responseCode) }),
  };
}

function isRefused({ code, command, answer = 0 }: Failure): boolean {
  return answer >= 500 && command !== 'MAIL FROM' && (code === 'EENVELOPE' || code === 'EMESSAGE');
}

/** Thrown to make the queue retry. The text of this error is safe to log. */
class NotSent extends Error {
  constructor(why: Failure) {
    super(Object.values(why).join(' '));
  }
}

function smtp(
  url: string,
  config: Pick<Config, 'mail_from' | 'public_url'>,
  timeouts: typeof SMTP_TIMEOUTS_MS,
): Send {
  // Checks that the library exists; the first mail loads it.
  import.meta.resolve('nodemailer');
  let transport: Transporter | undefined;
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      // EHLO sends this name, because a mail server may refuse the computer's own (OPS-32).
      name: host,
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
      // A string would be parsed as a header (P25).
      to: { name: '', address: to },
      subject,
      text,
      html,
      // Use the same id in each retry, so that a mailbox recognises a duplicate.
      messageId: `<${id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.total)]),
    });
  };
}

/**
 * The outbox. `enqueue` encrypts a mail and writes it in the given transaction: it is sent if and
 * only if the transaction commits (P25).
 * `enqueue` @throws if `to` is not a single plain address or the subject has a line break.
 */
export async function createMail({
  config,
  jobs: { boss },
  db,
  clock,
  log,
  isDeclined,
  timeouts = SMTP_TIMEOUTS_MS,
}: {
  config: Pick<Config, 'secret_keys' | 'smtp_url' | 'mail_from' | 'public_url'>;
  jobs: Jobs;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  isDeclined: (declined: Declined) => Promise<boolean>;
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
  // An earlier version may have created the queue with other options.
  await boss.updateQueue(QUEUE, options);

  const send: Send =
    config.smtp_url === null
      ? (_id, mail) => keepMail(db, clock.now(), mail)
      : smtp(config.smtp_url, config, timeouts);
  const abort = new AbortController();
  const attempts = { sent: 0, failed: 0, dropped: 0 };

  const hasAccount = async (id: number) =>
    (await db.selectFrom('players').select('id').where('id', '=', id).executeTakeFirst()) !==
    undefined;

  async function deliver({ id, data }: Job<{ sealed: string }>): Promise<void> {
    const mail = sealedMail.safeParse(unseal(config, 'mail', data.sealed)).data;
    const drop = (about: object, why: string) => {
      attempts.dropped += 1;
      log.error(about, `mail dropped: ${why}`);
    };
    if (!mail) return drop({ mail: id }, 'no key of SECRET_KEY opens it');
    const about = { mail: id, to: maskEmail(mail.to) };
    if (mail.until <= clock.now()) return drop(about, 'it could not be sent while it was of use');
    if (mail.player_id !== undefined && !(await hasAccount(mail.player_id)))
      return log.info(about, 'mail not needed: the account is deleted');
    if (mail.declined && !(await isDeclined(mail.declined)))
      return log.info(about, 'mail not needed: the decision was changed');
    try {
      await send(id, mail, abort.signal);
      attempts.sent += 1;
      log.info(about, 'mail sent');
    } catch (error) {
      const why = failureOf(error);
      if (isRefused(why)) return drop({ ...about, ...why }, 'the receiving server refuses it');
      attempts.failed += 1;
      log.warn({ ...about, ...why }, 'mail not sent yet');
      throw new NotSent(why);
    }
  }

  return {
    enqueue: async (transaction, message, declined) => {
      const { to, subject, text, html, valid_until, player_id } = message;
      if (!isEmail(to)) throw new Error('A mail goes to one plain address.');
      if (/[\r\n]/.test(subject)) throw new Error('A subject has no line breaks.');
      const until = valid_until ?? new Date(clock.now().getTime() + NOTICE_LIFE_MS);
      // Mail programs decode `=?…?=`, which a name can contain.
      const sealed = seal(config, 'mail', {
        to,
        subject: subject.replaceAll('=?', '= ?'),
        text,
        html,
        until,
        ...(player_id !== undefined && { player_id }),
        ...(declined && { declined }),
      });
      await boss.send(
        QUEUE,
        { sealed },
        { db: fromKysely(transaction), ...(declined && { startAfter: TELL_AFTER_S }) },
      );
    },
    // pg-boss updates `queuedCount` every few seconds only.
    figures: async () => ({
      waiting: (await boss.getQueue(QUEUE))?.queuedCount ?? 0,
      attempts,
    }),
    listWaiting: async (limit) => {
      const { rows } = await sql<{ since: Date; tries: number }>`
        select created_on as since, retry_count as tries from pgboss.job
        where name = ${QUEUE} and state < 'completed' and (retry_count > 0 or start_after <= now())
        order by created_on limit ${limit}`.execute(db);
      return rows;
    },
    // One mail at a time, so that a killed process sends at most one mail twice (REL-11).
    work: async () => {
      let worker = '';
      worker = await boss.work<{ sealed: string }>(QUEUE, POLL, async ([job]) => {
        try {
          if (job) await deliver(job);
        } finally {
          // Do not wait for the next poll.
          boss.notifyWorker(worker);
        }
      });
    },
    stop: async () => {
      const timer = setTimeout(() => abort.abort(), STOP_TIMEOUT_MS);
      await boss.offWork(QUEUE, { wait: true });
      clearTimeout(timer);
    },
  };
}
