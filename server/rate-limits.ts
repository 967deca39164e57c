import { RESEND_COOLDOWN_S } from '#contract/rules/email.ts';

/*
 * Every rate limit of the server except the pace of machines, which clients share
 * (`contract/rules/machines.ts`). `http/limits.ts` counts them in the database, `http/buckets.ts`
 * in memory.
 */

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/**
 * What a limit counts by. `network`: an IPv4 address, or the /64 and /48 of an IPv6 address (P17).
 */
type Key =
  | 'network'
  | 'account'
  | 'account and network'
  | 'device'
  | 'code and network'
  | 'player'
  | 'proof'
  | 'site';

/** `max` uses within `seconds` of the first. */
export type RateLimit = {
  max: number;
  seconds: number;
  per: Key;
  rule: string;
  /**
   * Each process remembers that the limit is exhausted, so that a refused call costs no statement
   * (P17). Uses that another process gives back are noticed when the window ends.
   */
  remember?: true;
  /** The work that a network is asked for grows with its use (P79c). */
  grows?: true;
};

export const RATE_LIMITS = {
  // Sign-in. A try counts as a failure until the password proves right.
  'login-here': {
    max: 5,
    seconds: 5 * MINUTE_S,
    per: 'account and network',
    rule: 'P16',
    remember: true,
  },
  // A right password gives back the uses of the other limits but not of this one, because each
  // sign-in costs a hash and a session.
  'login-pace': {
    max: 30,
    seconds: MINUTE_S,
    per: 'account and network',
    rule: 'P16',
    remember: true,
  },
  'login-ip': {
    max: 10,
    seconds: MINUTE_S,
    per: 'network',
    rule: 'P16',
    remember: true,
    grows: true,
  },
  'login-account': { max: 20, seconds: HOUR_S, per: 'account', rule: 'P16' },
  'login-slow': { max: 1, seconds: MINUTE_S, per: 'account', rule: 'P16' },
  'login-row': { max: 100, seconds: 365 * DAY_S, per: 'account', rule: 'P16' },
  'login-device': { max: 5, seconds: 5 * MINUTE_S, per: 'device', rule: 'P79d' },
  'login-device-row': { max: 100, seconds: 180 * DAY_S, per: 'device', rule: 'P79d' },
  'google-ip': { max: 30, seconds: MINUTE_S, per: 'network', rule: 'P17', remember: true },
  'oidc-ip': { max: 30, seconds: MINUTE_S, per: 'network', rule: 'P17', remember: true },

  // Questions about an address.
  'check-ip-minute': { max: 30, seconds: MINUTE_S, per: 'network', rule: 'P19', remember: true },
  'check-ip-hour': { max: 300, seconds: HOUR_S, per: 'network', rule: 'P19', remember: true },
  'check-ip-day': { max: 1000, seconds: DAY_S, per: 'network', rule: 'P19', remember: true },
  'check-here': { max: 30, seconds: HOUR_S, per: 'account and network', rule: 'P19' },
  'check-address': { max: 300, seconds: HOUR_S, per: 'account', rule: 'P19' },
  'check-site': { max: 50, seconds: 1, per: 'site', rule: 'P19' },
  'check-again': { max: 1, seconds: MINUTE_S, per: 'network', rule: 'P19' },

  // Requests for mailed codes, and tries.
  'code-hour': {
    max: 5,
    seconds: HOUR_S,
    per: 'account and network',
    rule: 'P79d',
    remember: true,
  },
  'code-day': { max: 10, seconds: DAY_S, per: 'account and network', rule: 'P79d', remember: true },
  'code-ip': { max: 20, seconds: HOUR_S, per: 'network', rule: 'P22', remember: true, grows: true },
  'code-pause': { max: 1, seconds: RESEND_COOLDOWN_S, per: 'account', rule: 'P22' },
  'code-account': { max: 60, seconds: DAY_S, per: 'account', rule: 'P79d' },
  'verify-ip': { max: 30, seconds: MINUTE_S, per: 'network', rule: 'P20', remember: true },
  'code-try': { max: 5, seconds: 10 * MINUTE_S, per: 'code and network', rule: 'P20' },
  'code-wrong': { max: 20, seconds: DAY_S, per: 'account and network', rule: 'P20' },
  'code-wrong-account': { max: 60, seconds: DAY_S, per: 'account', rule: 'P79d' },
  'new-address-hour': { max: 5, seconds: HOUR_S, per: 'account', rule: 'P30b' },
  'new-address-day': { max: 10, seconds: DAY_S, per: 'account', rule: 'P30b' },
  'new-address-all': { max: 100, seconds: HOUR_S, per: 'site', rule: 'P30b' },

  // Reset links.
  'reset-hour': {
    max: 5,
    seconds: HOUR_S,
    per: 'account and network',
    rule: 'P79d',
    remember: true,
  },
  'reset-day': {
    max: 10,
    seconds: DAY_S,
    per: 'account and network',
    rule: 'P79d',
    remember: true,
  },
  'reset-ip': {
    max: 20,
    seconds: HOUR_S,
    per: 'network',
    rule: 'P24',
    remember: true,
    grows: true,
  },
  'reset-pause': { max: 1, seconds: RESEND_COOLDOWN_S, per: 'account', rule: 'P24' },
  'reset-account': { max: 60, seconds: DAY_S, per: 'account', rule: 'P79d' },
  'reset-try-ip': { max: 30, seconds: MINUTE_S, per: 'network', rule: 'P24', remember: true },

  // Mails to addresses that nobody has proven. MAIL_UNPROVEN_MAX replaces the 1000, and
  // UNPROVEN_SHARE of it the 250.
  'mail-unproven': { max: 1000, seconds: HOUR_S, per: 'site', rule: 'P79e' },
  'mail-unproven-network': { max: 250, seconds: HOUR_S, per: 'network', rule: 'P79e' },
  // A proof of work is good for one call.
  work: { max: 1, seconds: 2 * MINUTE_S, per: 'proof', rule: 'P79c' },

  // Signed-in players.
  'password-change': { max: 5, seconds: HOUR_S, per: 'player', rule: 'P12' },
  // Limited, so that nobody can harass others under one new name after another.
  username: { max: 3, seconds: DAY_S, per: 'player', rule: 'P51' },
  // Limited, because each change adds a row.
  'league-mode': { max: 200, seconds: DAY_S, per: 'player', rule: 'P39a' },
  // Counts birth dates that are too recent. The limit outlives the account, so that a new account
  // does not help.
  'too-young': { max: 1, seconds: DAY_S, per: 'account', rule: 'P30c' },
  export: { max: 3, seconds: DAY_S, per: 'player', rule: 'P30d' },
  /** Failed ones too, which use up none of the three. */
  export_try: { max: 10, seconds: DAY_S, per: 'player', rule: 'P30d' },
  game_report: { max: 10, seconds: DAY_S, per: 'player', rule: 'P67' },
  // Codes that friends show each other. A code is one of 31^8, and works for ten minutes.
  friend_code: { max: 20, seconds: HOUR_S, per: 'player', rule: 'P98' },
  friend_ask: { max: 20, seconds: DAY_S, per: 'player', rule: 'P98' },
  friend_wrong: { max: 10, seconds: HOUR_S, per: 'player', rule: 'P98' },
  friend_wrong_network: { max: 60, seconds: HOUR_S, per: 'network', rule: 'P98' },
  duel_offer: { max: 10, seconds: DAY_S, per: 'player', rule: 'P75' },
  nudge: { max: 5, seconds: DAY_S, per: 'player', rule: 'P75' },
  push_device: { max: 30, seconds: DAY_S, per: 'player', rule: 'P72' },
  push_test: { max: 5, seconds: HOUR_S, per: 'player', rule: 'P74' },
  // Codes of teams. Visitors see no names, so a guess is worth little.
  join_code: { max: 10, seconds: HOUR_S, per: 'player', rule: 'P67' },
  join_code_network: { max: 60, seconds: HOUR_S, per: 'network', rule: 'P67', grows: true },
  join_page_network: { max: 300, seconds: MINUTE_S, per: 'network', rule: 'P67', remember: true },

  // Televisions. One takes four codes an hour and asks for its token every few seconds.
  'screen-codes': { max: 60, seconds: HOUR_S, per: 'network', rule: 'P66', remember: true },
  'screen-claims': { max: 600, seconds: MINUTE_S, per: 'network', rule: 'P66', remember: true },
  // Counted separately, so that wrong secrets do not keep staff from pairing.
  'screen-code': { max: 10, seconds: HOUR_S, per: 'network', rule: 'P66' },
  'screen-secret': { max: 10, seconds: HOUR_S, per: 'network', rule: 'P66' },

  // Machines that pair, with the limits of televisions.
  'machine-codes': { max: 60, seconds: HOUR_S, per: 'network', rule: 'P114', remember: true },
  'machine-claims': { max: 600, seconds: MINUTE_S, per: 'network', rule: 'P114', remember: true },
  'machine-code': { max: 10, seconds: HOUR_S, per: 'network', rule: 'P114' },
  'machine-secret': { max: 10, seconds: HOUR_S, per: 'network', rule: 'P114' },

  // Staff and the operator. All staff may share a network and open a link several times.
  staff_link: { max: 120, seconds: 10 * MINUTE_S, per: 'network', rule: 'P61', remember: true },
  staff_sign_in: { max: 120, seconds: 10 * MINUTE_S, per: 'network', rule: 'P60', remember: true },
  'operator-key': { max: 20, seconds: 5 * MINUTE_S, per: 'network', rule: 'P49', remember: true },
} as const satisfies Record<string, RateLimit>;

export type LimitName = keyof typeof RATE_LIMITS;
export type NetworkLimitName = {
  [Name in LimitName]: (typeof RATE_LIMITS)[Name]['per'] extends 'network' ? Name : never;
}[LimitName];

/** Failures at an address without an account are forgotten sooner (P17). */
export const UNKNOWN_ROW_S = 7 * DAY_S;
/** All 65,536 networks (/64) of a /48 share one limit, this many times a network's (P17). */
export const WIDE_FACTOR = 10;
/** The limits of a venue's network are this many times those of another network (P79b). */
export const VENUE_FACTOR = 10;
/** One network may use this share of the site's mails to unproven addresses (P79e). */
export const UNPROVEN_SHARE = 1 / 4;
/** A network counts as a venue's for this long after a machine has called from it (P79b). */
export const VENUE_S = DAY_S;
/**
 * The `Retry-After` of each anonymous 429 that asks for work, whichever counter refused (P79g). A
 * 429 for a pause has its own, because its message says anyway that there is a pause.
 */
export const ANONYMOUS_RETRY_S = 5 * MINUTE_S;

/**
 * The zero bits of a proof of work, which takes a slow phone about 2 s (P79c). WORK_BITS replaces
 * this.
 */
export const WORK_BITS_DEFAULT = 18;

/** Token buckets in memory: a burst, then `rate` a second (P39a). */
export const READS = { rate: 20, burst: 200 };
export const WRITES = { rate: 2, burst: 60 };
