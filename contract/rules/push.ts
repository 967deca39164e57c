/** The kinds of notices that a player can turn on and off (PUSH-01, PUSH-20). */
export const PUSH_KINDS = ['my_game', 'my_week', 'nudge', 'duel', 'passed'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];
/** `test`: the player asked for it (PUSH-06). */
export type NoticeKind = PushKind | 'test';

/** Players under age cannot turn these on (PUSH-20). */
export const LOCKED_UNDER_AGE: readonly PushKind[] = ['nudge', 'passed'];

/** The local hours between which nothing is sent (PUSH-10). */
export const QUIET_FROM = 21;
export const QUIET_UNTIL = 9;
/** The most notices of all kinds that a player gets on a day of their own clock (PUSH-11). */
export const NOTICES_A_DAY = 3;

/** The longest address of a device (PUSH-50). */
export const ENDPOINT_MAX = 1_000;
