import type { Role } from '#contract/rules/staff.ts';
import type { AuditAnswer } from '#contract/wire/audit.ts';
import type {
  Decided,
  Decision,
  Decisions,
  InboxAnswer,
  InboxCount,
} from '#contract/wire/inbox.ts';
import type {
  Joining,
  LeaguePage,
  LeagueRow,
  RosterAnswer,
  ScheduleWeek,
} from '#contract/wire/leagues.ts';
import type {
  MachineKey,
  MachineKeyStopped,
  MachinePage,
  MachineRow,
} from '#contract/wire/machines.ts';
import type { PlayerAnswer, PlayerPage, PlayersFound } from '#contract/wire/players.ts';
import type {
  ScreenAnswer,
  ScreenChange,
  ScreenRow,
  ScreensAnswer,
  VenueNotice,
  WaitingAnswer,
} from '#contract/wire/screens.ts';
import type {
  DevicesAnswer,
  LinkAnswer,
  LinkShown,
  Me,
  StaffRow,
  StaffSessionsAnswer,
} from '#contract/wire/staff.ts';
import type { SystemAnswer } from '#contract/wire/system.ts';
import type { JoinRequestRow, TeamPage, TeamPoster, TeamRow } from '#contract/wire/teams.ts';
import type { Tonight } from '#contract/wire/tonight.ts';
import type { VenueRow } from '#contract/wire/venues.ts';
import { get, post, remove } from './client.ts';

/** `@simplewebauthn/browser` checks the other fields. */
type PasskeyOptions = { challenge: string };
/** `id:` marks an id, because “7” may also be a name (OPS-03). */
const byId = (id: string) => `id:${id}`;
type Given = { everything?: boolean; venues?: string[]; leagues?: string[] };
/** The audit's filter. Empty values match every line. */
export type AuditFilter = {
  who?: string;
  area?: string;
  venue?: string;
  /** The number of an account. */
  player?: string;
  from?: string;
  to?: string;
};

export const readLink = (token: string) => post<LinkShown>('/api/console/link/', { token });
export const linkOptions = (token: string) =>
  post<PasskeyOptions>('/api/console/link/options/', { token });
export const registerByLink = (token: string, device: string, response: unknown) =>
  post<undefined>('/api/console/link/register/', { token, device, response });
export const sessionByLink = (token: string, device: string) =>
  post<undefined>('/api/console/link/session/', { token, device });
export const signInOptions = () => post<PasskeyOptions>('/api/console/sign-in/options/');
export const signIn = (response: unknown) => post<undefined>('/api/console/sign-in/', { response });
export const signOut = () => post<undefined>('/api/console/sign-out/');

export const readMe = () => get<Me>('/api/console/me/');
export const listDevices = () => get<DevicesAnswer>('/api/console/devices/');
export const deviceOptions = () => post<PasskeyOptions>('/api/console/devices/options/');
export const addDevice = (device: string, response: unknown) =>
  post<undefined>('/api/console/devices/', { device, response });
export const removeDevice = (id: string) =>
  remove<undefined>(`/api/console/devices/${encodeURIComponent(id)}/`);

export const listStaff = () => get<{ results: StaffRow[] }>('/api/operator/staff/');
const chosen = ({ venues, leagues }: Given): Given => ({
  ...(venues && { venues: venues.map(byId) }),
  ...(leagues && { leagues: leagues.map(byId) }),
});
export const addStaff = (body: { name: string; role: Role } & Given) =>
  post<LinkAnswer>('/api/operator/staff/', { ...body, ...chosen(body) });
export const newLink = (staff: string) =>
  post<LinkAnswer>('/api/operator/staff/link/', { staff: byId(staff) });
export const takeLinkBack = (staff: string) =>
  post<StaffRow>('/api/operator/staff/unlink/', { staff: byId(staff) });
export const changeStaff = (staff: string, change: { name?: string; role?: Role } & Given) =>
  post<StaffRow>('/api/operator/staff/change/', {
    staff: byId(staff),
    ...change,
    ...chosen(change),
  });
export const removeStaff = (staff: string) =>
  post<{ name: string }>('/api/operator/staff/remove/', { staff: byId(staff) });
export const listSessions = (staff: string) =>
  get<StaffSessionsAnswer>('/api/operator/staff/sessions/', { staff: byId(staff) });
export const endSession = (staff: string, session: string) =>
  post<{ name: string }>('/api/operator/staff/sign-out/', { staff: byId(staff), session });
export const removeStaffDevice = (staff: string, device: string) =>
  post<StaffRow>('/api/operator/staff/remove-device/', { staff: byId(staff), device });

const auditQuery = (filter: AuditFilter) => ({
  ...filter,
  ...(filter.venue && { venue: byId(filter.venue) }),
});
export const listAudit = (filter: AuditFilter, before?: string) =>
  get<AuditAnswer>('/api/operator/audit/', { ...auditQuery(filter), before });
/** The address of the audit as CSV. */
export const auditExport = (filter: AuditFilter) =>
  `/api/operator/audit/export/?${new URLSearchParams(
    Object.entries(auditQuery(filter)).filter(([, value]) => value !== ''),
  )}`;

export const readSystem = () => get<SystemAnswer>('/api/operator/system/');
export const signOutAllPlayers = () =>
  post<{ sessions_ended: number }>('/api/operator/players/sign-out/', { all: true });

export const readTonight = (venue: string | null) =>
  get<Tonight>('/api/operator/tonight/', { venue: venue === null ? undefined : byId(venue) });
export const listMachineStates = () => get<{ results: MachineRow[] }>('/api/operator/machines/');
export const readMachine = (machine: string) =>
  get<MachinePage>('/api/operator/machines/page/', { machine: byId(machine) });
/** `venue` is a name, because the call adds a new venue. */
export const addMachine = (body: { name: string; venue?: string; timezone?: string }) =>
  post<MachineKey>('/api/operator/machines/', body);
export const rotateMachine = (machine: string) =>
  post<MachineKey>('/api/operator/machines/rotate/', { machine: byId(machine) });
/** Stops one replaced key at once. `key` is its id. */
export const stopOldKey = (machine: string, key: string) =>
  post<MachineKeyStopped>('/api/operator/machines/stop-old-key/', { machine: byId(machine), key });
export const revokeMachine = (machine: string) =>
  post<MachineRow>('/api/operator/machines/revoke/', { machine: byId(machine) });
/** `done` ends the repair. `why` says what is wrong: null removes that text, undefined keeps it. */
export const markRepair = (machine: string, done: boolean, why?: string | null) =>
  post<MachineRow>('/api/operator/machines/repair/', { machine: byId(machine), done, why });
/** `venue` is a name. */
export const changeMachine = (machine: string, change: { name?: string; venue?: string }) =>
  post<MachineRow>('/api/operator/machines/change/', { machine: byId(machine), ...change });

export const listScreens = () => get<ScreensAnswer>('/api/operator/screens/');
export const findWaiting = (code: string) =>
  get<WaitingAnswer>('/api/operator/screens/waiting/', { code });
export const addScreen = (body: { code: string; venue: string; name?: string }) =>
  post<ScreenRow>('/api/operator/screens/', { ...body, venue: byId(body.venue) });
export const changeScreen = (screen: string, change: ScreenChange) =>
  post<ScreenRow>('/api/operator/screens/change/', {
    screen: byId(screen),
    ...change,
    ...(change.venue && { venue: byId(change.venue) }),
  });
export const removeScreen = (screen: string) =>
  post<ScreenRow>('/api/operator/screens/remove/', { screen: byId(screen) });
export const previewScreen = (screen: string) =>
  get<ScreenAnswer>('/api/operator/screens/preview/', { screen: byId(screen) });
/** `until` is an instant, or a day and time on the venue's clock. Null means no end. */
export const setNotice = (venue: string, notice: string | null, until: string | null) =>
  post<VenueNotice>('/api/operator/screens/notice/', { venue: byId(venue), notice, until });

export const listVenues = () => get<{ results: VenueRow[] }>('/api/operator/venues/');
export const changeVenue = (venue: string, change: { hours?: string | null; timezone?: string }) =>
  post<VenueRow>('/api/operator/venues/change/', { venue: byId(venue), ...change });
/** Who gets mails about machines. Owners see all staff, other staff only themselves. */
export const listAlerts = () =>
  get<{ results: { name: string; email: string | null }[] }>('/api/operator/alerts/');
export const setAlerts = (email: string | null) =>
  post<{ email: string | null }>('/api/operator/alerts/', { email });
export const listLeagues = () => get<{ results: LeagueRow[] }>('/api/operator/leagues/');
export const makeLeague = (body: {
  name: string;
  timezone: string;
  starts: string;
  joining: Joining;
  /** An id, or null. */
  venue: string | null;
}) => post<LeagueRow>('/api/operator/leagues/', { ...body, venue: body.venue && byId(body.venue) });
export const setLeagueVenue = (league: string, venue: string | null) =>
  post<{ venue: string | null }>('/api/operator/leagues/venue/', {
    league: byId(league),
    venue: venue && byId(venue),
  });
export const readLeague = (league: string) =>
  get<LeaguePage>('/api/operator/leagues/page/', { league: byId(league) });
export const renameLeague = (league: string, name: string, timezone: string) =>
  post<{ league: string }>('/api/operator/leagues/rename/', {
    league: byId(league),
    name,
    timezone,
  });
export const setJoining = (league: string, joining: Joining) =>
  post<{ joining: Joining }>('/api/operator/leagues/joining/', { league: byId(league), joining });
export const importRoster = (league: string, csv: string, newTeams: boolean) =>
  post<RosterAnswer>('/api/operator/leagues/import/', {
    league: byId(league),
    csv,
    new_teams: newTeams,
  });
export const previewWeeks = (league: string, weeks: string, from: string) =>
  get<{ schedule: ScheduleWeek[] }>('/api/operator/leagues/schedule/preview/', {
    league: byId(league),
    weeks,
    from,
  });
export const makeWeeks = (league: string, weeks: number, from: string) =>
  post<{ schedule: ScheduleWeek[] }>('/api/operator/leagues/schedule/', {
    league: byId(league),
    weeks,
    from,
  });
export const clearWeeks = (league: string) =>
  post<{ weeks_cleared: number }>('/api/operator/leagues/schedule/clear/', {
    league: byId(league),
  });

export const listTeams = () => get<{ results: TeamRow[] }>('/api/operator/teams/');
export const makeTeam = (league: string, name: string) =>
  post<TeamRow>('/api/operator/teams/', { league: byId(league), name });
export const readTeam = (team: string) =>
  get<TeamPage>('/api/operator/teams/page/', { team: byId(team) });
export const readPoster = (team: string) =>
  get<TeamPoster>('/api/operator/teams/poster/', { team: byId(team) });
export const renameTeam = (team: string, name: string) =>
  post<{ team: string }>('/api/operator/teams/rename/', { team: byId(team), name });
export const deleteTeam = (team: string) =>
  post<{ team: string }>('/api/operator/teams/delete/', { team: byId(team) });
/** `player` is an e-mail address or a username. */
export const addToTeam = (team: string, player: string) =>
  post<{ moved: { email: string; moved_from: string }[] }>('/api/operator/teams/add/', {
    team: byId(team),
    [player.includes('@') ? 'emails' : 'usernames']: [player],
  });
/** `from` is the team that the page shows, or null. 409: the account has changed teams since. */
export const moveToTeam = (
  team: string,
  account: string,
  from: string | null,
  keepalive: boolean,
) =>
  post<unknown>(
    '/api/operator/teams/add/',
    { team: byId(team), accounts: [account], from_team: from },
    { keepalive },
  );
export const takeOffTeam = (team: string, account: string, keepalive: boolean) =>
  post<unknown>('/api/operator/teams/remove/', { team: byId(team), account }, { keepalive });
export const listRequests = () =>
  get<{ results: JoinRequestRow[] }>('/api/operator/teams/requests/');
export const newTeamCode = (team: string) =>
  post<{ code: string }>('/api/operator/teams/code/', { team: byId(team), new: true });
export const decideRequest = (team: string, account: string, accept: boolean) =>
  post<unknown>(`/api/operator/teams/${accept ? 'accept' : 'decline'}/`, {
    team: byId(team),
    account,
  });

export const readInbox = () => get<InboxAnswer>('/api/operator/inbox/');
export const countInbox = () => get<InboxCount>('/api/operator/inbox/count/');
/** Names the machine too, because two machines can have a game with the same id (GAME-01). */
type GameName = { game: string; machine_id: string };
const gameBody = ({ game, machine_id }: GameName) => ({ game, machine: byId(machine_id) });
export const readDecided = (of: GameName) =>
  get<{ decided: Decided | null }>('/api/operator/inbox/decided/', gameBody(of));
export const readDecisions = () => get<Decisions>('/api/operator/inbox/decisions/');
export type CaseDecision = Exclude<Decision, 'restore'>;
export const decideCase = (of: GameName, decision: CaseDecision, keepalive: boolean) =>
  decision === 'void' || decision === 'stands'
    ? post<unknown>(
        '/api/operator/reports/settle/',
        { ...gameBody(of), verdict: decision },
        { keepalive },
      )
    : post<unknown>(`/api/operator/held/${decision}/`, gameBody(of), { keepalive });

/** Finds players; without `text`, those who played last. */
export const searchPlayers = (text: string) =>
  post<PlayersFound>('/api/operator/players/search/', text === '' ? {} : { text });
// `account` is the account's number. Only `showPlayer` returns the whole e-mail address, and writes
// a line to the audit (OPS-18).
export const readPlayer = (account: string, games: number) =>
  get<PlayerPage>('/api/operator/players/page/', { account, games: String(games) });
export const showPlayer = (account: string) =>
  post<PlayerAnswer>('/api/operator/players/show/', { account });
export const signOutPlayer = (account: string) =>
  post<{ sessions_ended: number }>('/api/operator/players/sign-out/', { account });
export const proposeAddress = (account: string, new_email: string) =>
  post<{ valid_until: string }>('/api/operator/players/change-email/', { account, new_email });
export const confirmAddress = (account: string, new_email: string, code: string) =>
  post<unknown>('/api/operator/players/confirm-email/', { account, new_email, code });
export const correctBirthdate = (account: string, date_of_birth: string, reason: string) =>
  post<unknown>('/api/operator/players/birthdate/', { account, date_of_birth, reason });
export const deletePlayer = (account: string) =>
  post<{ games_kept: number }>('/api/operator/players/delete/', { account });
export const correctGame = (of: GameName, change: 'void' | 'restore', keepalive: boolean) =>
  post<unknown>(`/api/operator/games/${change}/`, gameBody(of), { keepalive });
