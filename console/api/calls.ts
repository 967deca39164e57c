import type { AuditArea, Role } from '#contract/rules/staff.ts';
import type { Body } from '#contract/wire/calls.ts';
import type { GameAnswer, ReportState, Verdict } from '#contract/wire/games.ts';
import type { Decision } from '#contract/wire/inbox.ts';
import type { Joining } from '#contract/wire/leagues.ts';
import type { ScreenChange } from '#contract/wire/screens.ts';
import type { PasskeyResponse } from '#contract/wire/staff.ts';
import { get, post, remove } from './client.ts';

/** `id:` marks an id, because “7” may also be a name (OPS-03). */
const byId = (id: string) => `id:${id}`;
type Given = { everything?: boolean; venues?: string[]; leagues?: string[] };
/** The audit's filter. Empty values match every line. */
export type AuditFilter = {
  who?: string;
  area?: AuditArea | undefined;
  venue?: string;
  /** The number of an account. */
  player?: string;
  from?: string;
  to?: string;
};

export const readLink = (token: string) => post('/api/console/link/', { token });
export const linkOptions = (token: string) => post('/api/console/link/options/', { token });
export const registerByLink = (token: string, device: string, response: PasskeyResponse) =>
  post('/api/console/link/register/', { token, device, response });
export const sessionByLink = (token: string, device: string) =>
  post('/api/console/link/session/', { token, device });
export const signInOptions = () => post('/api/console/sign-in/options/');
export const signIn = (response: PasskeyResponse) => post('/api/console/sign-in/', { response });
export const signOut = () => post('/api/console/sign-out/');

export const readMe = () => get('/api/console/me/');
export const listDevices = () => get('/api/console/devices/');
export const deviceOptions = () => post('/api/console/devices/options/');
export const addDevice = (device: string, response: PasskeyResponse) =>
  post('/api/console/devices/', { device, response });
export const removeDevice = (id: string) =>
  remove(`/api/console/devices/${encodeURIComponent(id)}/`);

export const listStaff = () => get('/api/operator/staff/');
const chosen = ({ venues, leagues }: Given): Given => ({
  ...(venues && { venues: venues.map(byId) }),
  ...(leagues && { leagues: leagues.map(byId) }),
});
export const addStaff = (body: { name: string; role: Role } & Given) =>
  post('/api/operator/staff/', { ...body, ...chosen(body) });
export const newLink = (staff: string) => post('/api/operator/staff/link/', { staff: byId(staff) });
export const takeLinkBack = (staff: string) =>
  post('/api/operator/staff/unlink/', { staff: byId(staff) });
export const changeStaff = (staff: string, change: { name?: string; role?: Role } & Given) =>
  post('/api/operator/staff/change/', {
    staff: byId(staff),
    ...change,
    ...chosen(change),
  });
export const removeStaff = (staff: string) =>
  post('/api/operator/staff/remove/', { staff: byId(staff) });
export const listSessions = (staff: string) =>
  get('/api/operator/staff/sessions/', { staff: byId(staff) });
export const endSession = (staff: string, session: string) =>
  post('/api/operator/staff/sign-out/', { staff: byId(staff), session });
export const removeStaffDevice = (staff: string, device: string) =>
  post('/api/operator/staff/remove-device/', { staff: byId(staff), device });

const auditQuery = (filter: AuditFilter) => ({
  ...filter,
  ...(filter.venue && { venue: byId(filter.venue) }),
});
export const listAudit = (filter: AuditFilter, before?: string) =>
  get('/api/operator/audit/', { ...auditQuery(filter), before });
/** The address of the audit as CSV. */
export const auditExport = (filter: AuditFilter) =>
  `/api/operator/audit/export/?${new URLSearchParams(
    Object.entries(auditQuery(filter)).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
    ),
  )}`;

export const readSystem = () => get('/api/operator/system/');
export const signOutAllPlayers = () => post('/api/operator/players/sign-out/', { all: true });

export const countTonight = () => get('/api/operator/tonight/count/');
export const readTonight = (venue: string | null) =>
  get('/api/operator/tonight/', { venue: venue === null ? undefined : byId(venue) });
export const listMachineStates = () => get('/api/operator/machines/');
export const readMachine = (machine: string) =>
  get('/api/operator/machines/page/', { machine: byId(machine) });
/** `venue` is a name, because the call adds the venue if no venue has this name. */
export const addMachine = (body: Body<'POST /api/operator/machines/'>) =>
  post('/api/operator/machines/', body);
export const rotateMachine = (machine: string) =>
  post('/api/operator/machines/rotate/', { machine: byId(machine) });
/** Stops one replaced key at once. `key` is its id. */
export const stopOldKey = (machine: string, key: string) =>
  post('/api/operator/machines/stop-old-key/', { machine: byId(machine), key });
export const revokeMachine = (machine: string) =>
  post('/api/operator/machines/revoke/', { machine: byId(machine) });
/** `done` ends the repair. `why` says what is wrong: null removes that text, undefined keeps it. */
export const markRepair = (machine: string, done: boolean, why?: string | null) =>
  post('/api/operator/machines/repair/', { machine: byId(machine), done, why });
/** `venue` is a name. */
export const changeMachine = (machine: string, change: { name?: string; venue?: string }) =>
  post('/api/operator/machines/change/', { machine: byId(machine), ...change });

export const listScreens = () => get('/api/operator/screens/');
export const findWaiting = (code: string) => get('/api/operator/screens/waiting/', { code });
export const addScreen = (body: { code: string; venue: string; name?: string }) =>
  post('/api/operator/screens/', { ...body, venue: byId(body.venue) });
export const changeScreen = (screen: string, change: ScreenChange) =>
  post('/api/operator/screens/change/', {
    screen: byId(screen),
    ...change,
    ...(change.venue && { venue: byId(change.venue) }),
  });
export const removeScreen = (screen: string) =>
  post('/api/operator/screens/remove/', { screen: byId(screen) });
export const previewScreen = (screen: string) =>
  get('/api/operator/screens/preview/', { screen: byId(screen) });
/**
 * Sets the notice of a venue or of one screen. A time is an instant, or local time of the venue.
 */
export const setNotice = (
  place: 'venue' | 'screen',
  id: string,
  notice: Record<'notice' | 'from' | 'until' | 'weekly', string | null>,
) => post('/api/operator/screens/notice/', { [place]: byId(id), ...notice });

export const listVenues = () => get('/api/operator/venues/');
export const changeVenue = (venue: string, change: { hours?: string | null; timezone?: string }) =>
  post('/api/operator/venues/change/', { venue: byId(venue), ...change });
/** Who gets mails about machines. Owners see all staff, other staff only themselves. */
export const listAlerts = () => get('/api/operator/alerts/');
export const setAlerts = (email: string | null) => post('/api/operator/alerts/', { email });
export const listLeagues = () => get('/api/operator/leagues/');
export const makeLeague = (body: {
  name: string;
  timezone: string;
  starts: string;
  joining: Joining;
  /** An id, or null. */
  venue?: string | null | undefined;
}) => post('/api/operator/leagues/', { ...body, venue: body.venue && byId(body.venue) });
export const setLeagueVenue = (league: string, venue: string | null) =>
  post('/api/operator/leagues/venue/', {
    league: byId(league),
    venue: venue && byId(venue),
  });
export const readLeague = (league: string) =>
  get('/api/operator/leagues/page/', { league: byId(league) });
export const renameLeague = (league: string, name: string, timezone?: string) =>
  post('/api/operator/leagues/rename/', { league: byId(league), name, timezone });
export const setJoining = (league: string, joining: Joining) =>
  post('/api/operator/leagues/joining/', { league: byId(league), joining });
export const importRoster = (league: string, csv: string, newTeams: boolean) =>
  post('/api/operator/leagues/import/', {
    league: byId(league),
    csv,
    new_teams: newTeams,
  });
export const previewWeeks = (league: string, weeks: string, from: string, leaveOut: string[]) =>
  get('/api/operator/leagues/schedule/preview/', {
    league: byId(league),
    weeks,
    from,
    ...(leaveOut.length > 0 && { leave_out: leaveOut.join(',') }),
  });
export const makeWeeks = (league: string, weeks: number, from: string, leaveOut: string[]) =>
  post('/api/operator/leagues/schedule/', {
    league: byId(league),
    weeks,
    from,
    leave_out: leaveOut,
  });
export const clearWeeks = (league: string) =>
  post('/api/operator/leagues/schedule/clear/', {
    league: byId(league),
  });

export const listSeasons = (league: string) =>
  get('/api/operator/seasons/', { league: byId(league) });
export const readSeason = (season: string, version?: string) =>
  get('/api/operator/seasons/page/', { season: byId(season), ...(version && { version }) });
type NextSeason = Omit<Body<'POST /api/operator/seasons/next/'>, 'league'>;
export const previewNextSeason = (league: string, wanted: NextSeason) =>
  post('/api/operator/seasons/next/preview/', { league: byId(league), ...wanted });
export const makeNextSeason = (league: string, wanted: NextSeason) =>
  post('/api/operator/seasons/next/', { league: byId(league), ...wanted });
export const changeSeason = (
  season: string,
  change: Omit<Body<'POST /api/operator/seasons/change/'>, 'season'>,
) => post('/api/operator/seasons/change/', { season: byId(season), ...change });
export const dropSeason = (season: string) =>
  post('/api/operator/seasons/drop/', { season: byId(season) });
export const endSeason = (league: string, after: 'finished' | 'running', now: boolean) =>
  post('/api/operator/seasons/end/', { league: byId(league), after, now });
export const correctSeason = (season: string, reason: string) =>
  post('/api/operator/seasons/correct/', { season: byId(season), reason });
export const leaveSeason = (season: string) =>
  post('/api/operator/seasons/leave/', { season: byId(season) });
export const postponeWeek = (league: string, week: string, reason: string) =>
  post('/api/operator/leagues/postpone/', { league: byId(league), week, reason });
export const undoPostponement = (league: string, week: string) =>
  post('/api/operator/leagues/postpone/undo/', { league: byId(league), week });
export const swapOpponents = (
  league: string,
  swap: Omit<Body<'POST /api/operator/leagues/swap/'>, 'league'>,
) => post('/api/operator/leagues/swap/', { league: byId(league), ...swap });
export const ruleMatchup = (
  league: string,
  ruling: Omit<Body<'POST /api/operator/leagues/ruling/'>, 'league'>,
) => post('/api/operator/leagues/ruling/', { league: byId(league), ...ruling });
export const enterTeam = (team: string, season: string, matchups: 'none' | 'byes' | 'replan') =>
  post('/api/operator/teams/enter/', { team: byId(team), season, matchups });
export const withdrawTeam = (team: string, reason: string, now: boolean) =>
  post('/api/operator/teams/withdraw/', { team: byId(team), reason, now });
/** Takes a team out of a season that has not begun. `from`: the season's first Monday. */
export const leaveTeamOut = (team: string, from: string) =>
  post('/api/operator/teams/withdraw/', { team: byId(team), from });
export const undoWithdrawal = (team: string) =>
  post('/api/operator/teams/withdraw/undo/', { team: byId(team) });

export const listTeams = () => get('/api/operator/teams/');
export const addTeams = (league: string, names: string[]) =>
  post('/api/operator/teams/several/', { league: byId(league), names });
export const readTeam = (team: string) => get('/api/operator/teams/page/', { team: byId(team) });
export const readPoster = (team: string) =>
  get('/api/operator/teams/poster/', { team: byId(team) });
export const readPosters = (league: string) =>
  get('/api/operator/teams/posters/', { league: byId(league) });
export const renameTeam = (team: string, name: string) =>
  post('/api/operator/teams/rename/', { team: byId(team), name });
export const deleteTeam = (team: string) =>
  post('/api/operator/teams/delete/', { team: byId(team) });
/** `player` is an e-mail address or a username. */
export const addToTeam = (team: string, player: string) =>
  post('/api/operator/teams/add/', {
    team: byId(team),
    [player.includes('@') ? 'emails' : 'usernames']: [player],
  });
/** `from` is the team that the page shows, or null. 409: the account has changed teams since. */
const moveToTeam = (team: string, accounts: string[], from: string | null, undo: boolean) =>
  post('/api/operator/teams/add/', { team: byId(team), accounts, from_team: from, undo });
const takeOffTeam = (team: string, accounts: string[], undo: boolean) =>
  post('/api/operator/teams/remove/', { team: byId(team), accounts, undo });
/** Moves players between teams; null: no team. */
export const movePlayers = (
  accounts: string[],
  from: string | null,
  to: string | null,
  undo = false,
) => (to === null ? takeOffTeam(from ?? '', accounts, undo) : moveToTeam(to, accounts, from, undo));
/** The inverse of `movePlayers` with the same arguments (OPS-17). */
export const undoMove = (accounts: string[], from: string | null, to: string | null) =>
  movePlayers(accounts, to, from, true);
export const newTeamCode = (team: string) =>
  post('/api/operator/teams/code/', { team: byId(team), new: true });
export const decideRequest = (team: string, account: string, accept: boolean) =>
  post(`/api/operator/teams/${accept ? 'accept' : 'decline'}/`, {
    team: byId(team),
    account,
  });
export const reopenRequest = (team: string, account: string, asked_at: string) =>
  post('/api/operator/teams/reopen/', { team: byId(team), account, asked_at });

/** `starts` and `ends` are instants, or days and local times of the venue. */
type ContestFields = Omit<Partial<Body<'POST /api/operator/contests/'>>, 'venue'>;
export const listContests = (venue: string | null) =>
  get('/api/operator/contests/', { venue: venue === null ? undefined : byId(venue) });
export const readContest = (contest: string) =>
  get('/api/operator/contests/page/', { contest: byId(contest) });
export const readContestPoster = (contest: string) =>
  get('/api/operator/contests/poster/', { contest: byId(contest) });
export const makeContest = (venue: string, fields: ContestFields & { name: string }) =>
  post('/api/operator/contests/', { venue: byId(venue), ...fields });
export const changeContest = (contest: string, fields: ContestFields) =>
  post('/api/operator/contests/change/', { contest: byId(contest), ...fields });
export const stopContest = (contest: string) =>
  post('/api/operator/contests/stop/', { contest: byId(contest) });
export const cancelContest = (contest: string) =>
  post('/api/operator/contests/cancel/', { contest: byId(contest) });
export const repeatContest = (contest: string) =>
  post('/api/operator/contests/again/', { contest: byId(contest) });
export const correctContest = (contest: string, reason: string) =>
  post('/api/operator/contests/correct/', { contest: byId(contest), reason });
export const leaveContest = (contest: string) =>
  post('/api/operator/contests/leave/', { contest: byId(contest) });

export type CupFields = Body<'POST /api/operator/cups/'>;
const ofCup = (cup: string) => ({ cup: byId(cup) });
export const listCups = (venue: string | null) =>
  get('/api/operator/cups/', { venue: venue === null ? undefined : byId(venue) });
export const readCup = (cup: string) => get('/api/operator/cups/page/', ofCup(cup));
export const makeCup = (fields: CupFields) => post('/api/operator/cups/', fields);
export const previewCup = (fields: CupFields) => post('/api/operator/cups/preview/', fields);
export const seedCup = (cup: string, sides: string[]) =>
  post('/api/operator/cups/seeds/', { ...ofCup(cup), sides });
export const drawCup = (cup: string) => post('/api/operator/cups/draw/', ofCup(cup));
export const changeCupSides = (
  cup: string,
  change: Omit<Body<'POST /api/operator/cups/sides/'>, 'cup'>,
) => post('/api/operator/cups/sides/', { ...ofCup(cup), ...change });
export const moveCupWindows = (
  cup: string,
  windows: Body<'POST /api/operator/cups/windows/'>['windows'],
) => post('/api/operator/cups/windows/', { ...ofCup(cup), windows });
export const withdrawFromCup = (cup: string, seed: number, undo: boolean) =>
  post('/api/operator/cups/withdraw/', { ...ofCup(cup), side: String(seed), undo });
export const decideCup = (
  cup: string,
  decision: Omit<Body<'POST /api/operator/cups/decide/'>, 'cup'>,
) => post('/api/operator/cups/decide/', { ...ofCup(cup), ...decision });
export const correctCup = (
  cup: string,
  correction: Omit<Body<'POST /api/operator/cups/correct/'>, 'cup'>,
) => post('/api/operator/cups/correct/', { ...ofCup(cup), ...correction });
export const leaveCup = (cup: string, pairing: string) =>
  post('/api/operator/cups/leave/', { ...ofCup(cup), pairing });
export const cancelCup = (cup: string) => post('/api/operator/cups/cancel/', ofCup(cup));

export const readInbox = () => get('/api/operator/inbox/');
type GameName = { game: string };
export const readDecided = (of: GameName) => get('/api/operator/inbox/decided/', { game: of.game });
export const readDecisions = () => get('/api/operator/inbox/decisions/');
export type CaseDecision = Extract<Decision, 'release' | 'discard' | Verdict>;
export const decideCase = (of: GameName, decision: CaseDecision) =>
  decision === 'void' || decision === 'stands'
    ? post('/api/operator/reports/settle/', { game: of.game, verdict: decision })
    : post(`/api/operator/held/${decision}/`, { game: of.game });
type GameState = GameAnswer['state'];
/** The inverse of `decideCase`. `state`: the game's state before the decision. */
export const undoCase = (of: GameName & { state: GameState }, decision: CaseDecision) => {
  const { game } = of;
  if (decision === 'void' && of.state === 'counted')
    return post('/api/operator/games/restore/', { game });
  if (decision === 'stands' || of.state === 'void' || of.state === 'discarded')
    return post('/api/operator/reports/reopen/', { game });
  return post('/api/operator/held/return/', { game });
};

/** Discards all held games of a machine. Returns how many. */
export async function discardHeld(machine: string): Promise<number> {
  for (let all = 0; ; ) {
    const body = { machine: byId(machine) };
    const { games, left } = await post('/api/operator/held/discard-many/', body);
    all += games;
    if (left === 0 || games === 0) return all;
  }
}

/** Searches by name, and finds at most 5 of each kind (HAND-C12). */
export const searchAll = (text: string) => post('/api/operator/search/', { text });
/** Finds players; without `text`, those who played last. */
export const searchPlayers = (text: string) =>
  post('/api/operator/players/search/', text === '' ? {} : { text });
// `account` is the account's number. Only `showPlayer` returns the whole e-mail address, and writes
// a line to the audit (OPS-18).
export const readPlayer = (account: string, games: number) =>
  get('/api/operator/players/page/', { account, games: String(games) });
export const showPlayer = (account: string) => post('/api/operator/players/show/', { account });
export const signOutPlayer = (account: string) =>
  post('/api/operator/players/sign-out/', { account });
export const proposeAddress = (account: string, new_email: string) =>
  post('/api/operator/players/change-email/', { account, new_email });
export const confirmAddress = (account: string, new_email: string, code: string) =>
  post('/api/operator/players/confirm-email/', { account, new_email, code });
export const correctBirthdate = (account: string, date_of_birth: string, reason: string) =>
  post('/api/operator/players/birthdate/', { account, date_of_birth, reason });
export const deletePlayer = (account: string) => post('/api/operator/players/delete/', { account });
/** Voids or restores a game, or holds a discarded one again. */
export type GameCorrection = 'void' | 'restore' | 'return';
export const correctGame = ({ game }: GameName, change: GameCorrection) =>
  change === 'return'
    ? post('/api/operator/held/return/', { game })
    : post(`/api/operator/games/${change}/`, { game });
/**
 * The inverse of `correctGame`. A restored game, or one held again, opens the report that had taken
 * it out (GAME-11).
 */
export const undoCorrection = (of: GameName, change: GameCorrection, report?: ReportState) => {
  if (change === 'void') return correctGame(of, 'restore');
  if (report === 'void') return decideCase(of, 'void');
  return change === 'restore' ? correctGame(of, 'void') : decideCase(of, 'discard');
};
