import type { Generated } from 'kysely';
import type { Scoring } from '#contract/rules/contests.ts';
import type { CupHow, CupKind, CupWindows } from '#contract/rules/cups.ts';
import type { DuelResult } from '#contract/rules/duels.ts';
import type { NoticeKind, PushKind } from '#contract/rules/push.ts';
import type { SlideSetting } from '#contract/rules/screens.ts';
import type { AuditArea, Role } from '#contract/rules/staff.ts';
import type { Visibility } from '#contract/rules/visibility.ts';
import type { HeldReason, Outside, ReportReason, ReportState } from '#contract/wire/games.ts';
import type { Decision, LeagueDecided } from '#contract/wire/inbox.ts';
import type { JoinedBy, Joining, Ruling } from '#contract/wire/leagues.ts';
import type { SeasonEnds, TieBreak } from '#contract/wire/seasons.ts';

/** A notice of a venue or a screen, and when it is shown (SCREEN-08). */
export type StoredNotice = {
  notice: string | null;
  /** null: at once */
  notice_from: Date | null;
  /** null: until staff remove it */
  notice_until: Date | null;
  /** As in contract/rules/opening-hours.ts, instead of a start and an end (HAND-C14). */
  notice_weekly: string | null;
};

/** The tables after all migrations. Columns have the names of the API. */
export type Schema = {
  players: {
    id: Generated<number>;
    uuid: Generated<string>;
    email: string;
    email_verified_at: Date | null;
    /** Only OIDC_ISSUER's provider has verified the address (P29c). */
    address_claimed: Generated<boolean>;
    username: string | null;
    password_hash: string | null;
    /** `YYYY-MM-DD` */
    date_of_birth: string | null;
    birthdate_refused_until: Date | null;
    avatar_color: Generated<string>;
    jersey_number: Generated<string>;
    league_mode_enabled: Generated<boolean>;
    team_id: number | null;
    /** The player's choice; `league` applies under age (ACC-61). */
    visibility: Generated<Visibility>;
    /** The app must ask about `visibility` when the player comes of age (ACC-62). */
    visibility_question: Generated<boolean>;
    /** On how many visits the app asked about the screens; 4: never again (HAND-50). */
    wall_asked: Generated<number>;
    created_at: Date;
  };
  identities: {
    issuer: string;
    subject: string;
    player_id: number;
    created_at: Date;
    /** The issuer is authoritative for the address (P29c). */
    authoritative: Generated<boolean>;
  };
  sessions: {
    id: Generated<string>;
    player_id: number;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date;
    client: string;
    refresh_hash: Buffer;
    rotating: Generated<boolean>;
    previous_hash: Buffer | null;
    rotated_at: Date | null;
  };
  refresh_keys: {
    key: Buffer;
    created_at: Date;
    unsealed_until: Date | null;
    secret: Buffer | null;
  };
  codes: {
    player_id: number;
    purpose: 'verify_email' | 'reset_password' | 'change_email';
    email: string;
    salt: Buffer;
    hash: Buffer;
    tries: Generated<number>;
    created_at: Date;
    expires_at: Date;
  };
  limits: { key: string; points: number; resets_at: Date };
  tombstones: { digest: Buffer; deleted_at: Date };
  kept_mails: {
    id: Generated<number>;
    sent_at: Date;
    recipient: string;
    subject: string;
    text: string;
    html: string;
  };
  leagues: {
    id: Generated<number>;
    name: string;
    timezone: string;
    starts_on: string;
    joining: Generated<Joining>;
    /** The venue whose staff run the league; null for no single venue (STAFF-39). */
    venue_id: number | null;
    created_at: Date;
  };
  teams: {
    id: Generated<number>;
    league_id: number;
    name: string;
    /** The database makes it; `set join_code = default` makes a new one (LEAGUE-13). */
    join_code: Generated<string>;
    created_at: Date;
  };
  join_requests: { player_id: number; team_id: number; asked_at: Date };
  matchup_sides: {
    league_id: number;
    team_id: number;
    week: string;
    opponent_id: number | null;
    home: boolean;
    season_id: Generated<number>;
  };
  seasons: {
    id: Generated<number>;
    uuid: Generated<string>;
    league_id: number;
    number: number;
    name: string;
    starts_on: string;
    ends: SeasonEnds;
    /** A Monday; null: no end yet. */
    last_week: string | null;
    tie_break: Generated<TieBreak>;
    grace_hours: Generated<number>;
    rosters_lock_week: string | null;
    leave_players: Generated<boolean>;
    moved_weeks: Generated<number>;
    final_at: Date | null;
    touched_at: Date | null;
    /** What set `touched_at` (SEASON-25). */
    touched_by: Generated<'game' | 'ruling'>;
    /** The Monday of the last week whose `team_weeks` are right; null if none are. */
    summed_to: Generated<string | null>;
  };
  season_entries: {
    season_id: number;
    team_id: number;
    from_week: string;
    to_week: string | null;
    withdrew_why: string | null;
    annulled: Generated<boolean>;
  };
  season_pauses: { season_id: number; week: string; reason: string; at: Date; by_plan: boolean };
  matchup_rulings: { team_id: number; week: string; ruling: Ruling; reason: string; at: Date };
  season_results: {
    season_id: number;
    version: number;
    at: Date;
    who: string;
    reason: string | null;
    rows: unknown;
    weeks: unknown;
    best: unknown;
    awards: unknown;
  };
  contests: {
    id: Generated<number>;
    code: Generated<string>;
    venue_id: number;
    name: string;
    starts_at: Date;
    ends_at: Date;
    scoring: Scoring;
    n: number;
    prizes: string | null;
    /** null: all machines of the venue. */
    machines: number[] | null;
    only_slide: Generated<boolean>;
    cancelled_at: Date | null;
    final_at: Date | null;
    quiet_machines: Generated<number[]>;
    left_rows: unknown;
  };
  contest_results: {
    contest_id: number;
    version: number;
    at: Date;
    who: string;
    reason: string | null;
    rows: unknown;
  };
  cups: {
    id: Generated<number>;
    uuid: Generated<string>;
    /** null: all venues. */
    venue_id: number | null;
    league_id: number | null;
    season_id: number | null;
    kind: CupKind;
    name: string;
    best: number;
    of: number;
    per_player: number | null;
    third: boolean;
    windows: CupWindows;
    follows: Generated<boolean>;
    followed_at: Generated<Date | null>;
    created_at: Date;
    began_at: Date | null;
    final_at: Date | null;
    winner_seed: number | null;
  };
  cup_sides: {
    cup_id: number;
    seed: number;
    team_id: number | null;
    player_id: number | null;
    name: string | null;
    withdrew_at: Date | null;
  };
  cup_players: {
    cup_id: number;
    player_id: number;
    seed: number;
    from_round: number;
    to_round: number | null;
  };
  cup_pairings: {
    cup_id: number;
    round: number;
    slot: number;
    starts_at: Date;
    ends_at: Date;
    quiet_machines: Generated<number[]>;
    left_result: unknown;
  };
  cup_results: {
    cup_id: number;
    round: number;
    slot: number;
    version: number;
    at: Date;
    who: string;
    reason: string | null;
    winner_seed: number | null;
    how: CupHow;
    sides: unknown;
    starts_at: Date | null;
    ends_at: Date | null;
  };
  season_changes: { id: Generated<number>; season_id: number; at: Date; text: string };
  team_changes: {
    player_id: number;
    at: Date;
    team_id: number | null;
    how: Generated<JoinedBy | null>;
    mail_waits: Generated<boolean | null>;
    /** When staff confirmed a player who joined by a code (LEAGUE-23). */
    confirmed_at: Generated<Date | null>;
  };
  league_mode_changes: { player_id: number; at: Date; enabled: boolean };
  venues: {
    id: Generated<number>;
    name: string;
    timezone: Generated<string>;
    /** As in contract/rules/opening-hours.ts; null: always open. */
    hours: string | null;
  } & StoredNotice;
  machines: {
    id: Generated<number>;
    name: string;
    venue_id: number | null;
    created_at: Date;
    last_seen_at: Date | null;
    clock_error_ms: number | null;
    revoked_at: Date | null;
    repair_at: Date | null;
    repair_by: string | null;
    repair_why: string | null;
  };
  machine_status: {
    machine_id: number;
    reported_at: Date | null;
    queued: number | null;
    oldest_played_at: Date | null;
    rejected: number | null;
    software: string | null;
    playing: Generated<boolean>;
    rejected_at: Date | null;
    greeted_at: Date | null;
    greeted_player: number | null;
    refused_at: Date | null;
    mailed_at: Date | null;
  };
  staff_alerts: { staff_id: number; email: string };
  machine_away: { machine_id: number; gone_at: Date; back_at: Date };
  machine_alerts: {
    machine_id: number;
    kind: 'silent' | 'rejected' | 'held' | 'clock' | 'key';
    begun_at: Date;
    ended_at: Date | null;
    mailed_at: Date | null;
  };
  machine_keys: {
    id: string;
    machine_id: number;
    hash: Buffer;
    created_at: Date;
    expires_at: Date | null;
    last_used_at: Date | null;
  };
  machine_pace: { machine_id: number; free_at: Date };
  games: {
    machine_id: number;
    id: string;
    /**
     * The number by which people name the game (GAME-01), in the order in which games were
     * recorded.
     */
    seq: Generated<number>;
    /** Where the machine stood when the game was received; null: at no venue (MACH-14). */
    venue_id: number | null;
    player_id: number;
    score: number;
    played_at: Date;
    day: string;
    received_at: Date;
    duration_s: number | null;
    shots_made: number | null;
    shots_attempted: number | null;
    state: 'counted' | 'held' | 'void' | 'discarded';
    held_reason: HeldReason | null;
    digest: Buffer;
    team_id: number | null;
    week: string | null;
    outside: Outside | null;
    /** The high score that this game beat, or null. */
    beat: number | null;
    /** When the game was released or restored; null for `received_at` (HAND-01). */
    landed_at: Generated<Date | null>;
  };
  game_decisions: {
    id: Generated<number>;
    machine_id: number;
    game_id: string;
    at: Date;
    /** null: the operator key. */
    staff_id: number | null;
    who: string;
    decision: Decision;
  };
  /** Kept for a day (HAND-C11). */
  league_decisions: {
    id: Generated<number>;
    at: Date;
    /** null: the operator key. */
    staff_id: number | null;
    who: string;
    league_id: number;
    decision: LeagueDecided['decision'];
    player_id: number | null;
    team_id: number | null;
    /** The team that a moved player left, or the away team of a matchup. */
    other_id: number | null;
    /** The team's name, or the matchup's ruling, before and after the decision. */
    before: string | null;
    after: string | null;
    week: string | null;
    /** The reason of the earlier ruling. */
    reason_before: string | null;
    asked_at: Date | null;
  };
  backups: { at: Date; who: string; bytes: number | null };
  game_reports: {
    id: Generated<number>;
    machine_id: number;
    game_id: string;
    player_id: number;
    reason: ReportReason;
    text: string | null;
    reported_at: Date;
    state: Generated<ReportState>;
    settled_at: Date | null;
  };
  player_stats: {
    player_id: number;
    games_played: number;
    highscore: number;
    score_sum: number;
  };
  bests: {
    /** 0 means all venues. */
    venue_id: number;
    week: string;
    player_id: number;
    score: number;
  };
  /** `board` is `all`, `venue:ID` or `league:ID`; the week -infinity is all time. */
  board_places: { board: string; week: string; day: string; player_id: number; place: number };
  /** How many players of a board have this best score; can be 0. */
  best_counts: { venue_id: number; week: string; score: number; players: number };
  league_weeks: {
    team_id: number;
    week: string;
    player_id: number;
    games_played: number;
    score_sum: number;
    total: number;
    fourth_best: number | null;
    /** The best score, right only while `best_sum` equals `score_sum`. */
    best: number | null;
    best_sum: number | null;
  };
  /** The sums of `league_weeks`, stored by night. */
  team_weeks: { team_id: number; week: string; total: number; best: number | null };
  player_achievements: {
    player_id: number;
    key: string;
    unlocked_at: Date;
    machine_id: number;
    game_id: string;
  };
  staff: {
    id: Generated<number>;
    name: string;
    role: Role;
    /** Reaches all venues and leagues (STAFF-02). */
    everything: Generated<boolean>;
    handle: Buffer;
    created_at: Date;
    /**
     * The first sign-in. Also null for staff who joined on version 0.2 and have not been seen
     * since.
     */
    joined_at: Generated<Date | null>;
    removed_at: Date | null;
  };
  staff_venues: { staff_id: number; venue_id: number };
  staff_leagues: { staff_id: number; league_id: number };
  staff_links: {
    staff_id: number;
    hash: Buffer;
    /** The owner's name, or 'Command line'. */
    made_by: string;
    created_at: Date;
    expires_at: Date;
  };
  staff_passkeys: {
    id: string;
    staff_id: number;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  staff_sessions: {
    id: Generated<string>;
    hash: Buffer;
    staff_id: number;
    passkey_id: string | null;
    device: string;
    client: string;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date;
  };
  staff_challenges: {
    hash: Buffer;
    purpose: 'register' | 'sign_in';
    challenge: string;
    staff_id: number | null;
    expires_at: Date;
  };
  audit: {
    id: Generated<number>;
    at: Date;
    staff_id: number | null;
    who: string;
    area: AuditArea;
    what: string;
    venue_id: number | null;
    venue: string | null;
    before: unknown;
    after: unknown;
    /** The line's player. null: none or several, or a line of an earlier version. */
    player_id: number | null;
  };
  screens: {
    id: Generated<number>;
    venue_id: number;
    name: string;
    token_hash: Buffer | null;
    slides: SlideSetting[];
    still: Generated<boolean>;
    width: number | null;
    height: number | null;
    created_at: Date;
    last_seen_at: Date | null;
  } & StoredNotice;
  push_keys: {
    id: Generated<number>;
    public_key: Buffer;
    sealed: string;
    created_at: Date;
    retired_at: Date | null;
  };
  push_devices: {
    id: Generated<number>;
    player_id: number;
    session_id: string | null;
    endpoint_hash: Buffer;
    sealed: string;
    host: string;
    locale: string;
    zone: string;
    client: string;
    key_id: number;
    since: Date;
    seen_at: Date;
    failures: Generated<number>;
    failing_since: Date | null;
    /** The last failure. `failed_status` is null if the push service did not answer. */
    failed_at: Date | null;
    failed_status: number | null;
  };
  push_off: { player_id: number; endpoint_hash: Buffer; at: Date };
  player_push: Record<PushKind, boolean> & {
    player_id: number;
    /** How often the player postponed the question. */
    asked: Generated<number>;
    ask_after: Date | null;
    last_sent_at: Date | null;
    sent_on: string | null;
    sent: Generated<number>;
    /** The place last seen on the board of this league and week, with this best (PUSH-05). */
    place: number | null;
    place_week: string | null;
    place_league: number | null;
    place_score: number | null;
  };
  push_notices: {
    id: Generated<string>;
    player_id: number;
    kind: NoticeKind;
    subject: string;
    data: unknown;
    caused_at: Date;
    worth_until: Date;
    due_at: Date;
    state: Generated<'waiting' | 'sent' | 'dropped'>;
    why: string | null;
    planned_at: Date | null;
  };
  push_sends: {
    notice_id: string;
    device_id: number;
    host: string;
    due_at: Date;
    tries: Generated<number>;
    /** The push service failed and named no time for the next try. */
    retrying: Generated<boolean>;
  };
  told_weeks: {
    team_id: number;
    week: string;
    own: number;
    other: number;
    told_at: Date;
    turned: Generated<boolean>;
  };
  nudges: {
    player_id: number;
    week: string;
    /** Null for a nudge by itself, and once the sender's account is deleted. */
    sender_id: number | null;
    at: Date;
    by_mate: Generated<boolean>;
  };
  friendships: { player_id: number; friend_id: number; n: Generated<number>; since: Date };
  blocks: { player_id: number; blocked_id: number; n: Generated<number>; at: Date };
  duels: {
    id: Generated<number>;
    offerer_id: number;
    rival_id: number;
    state: Generated<
      'offered' | 'running' | 'decided' | 'declined' | 'taken_back' | 'expired' | 'ended'
    >;
    offered_at: Date;
    accept_until: Date;
    accepted_at: Date | null;
    ends_at: Date | null;
    changed_at: Date;
    told: DuelResult | null;
    turned_told: Generated<boolean>;
    overtaken_told: Generated<boolean>;
    final_at: Date | null;
    best_offerer: unknown;
    best_rival: unknown;
  };
  /** Counts final duels only. */
  duel_tallies: { player_id: number; won: number; lost: number; level: number };
  friend_codes: {
    player_id: number;
    code_hash: Buffer;
    expires_at: Date;
    asked_by: number | null;
  };
  machine_pairings: {
    secret_hash: Buffer;
    code: string;
    machine_id: number | null;
    created_at: Date;
    expires_at: Date;
  };
  screen_pairings: {
    secret_hash: Buffer;
    code: string;
    screen_id: number | null;
    width: number | null;
    height: number | null;
    created_at: Date;
    expires_at: Date;
  };
};
