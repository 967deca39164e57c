import { useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { CANNOT_REACH } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { DuelStrip, ProfileDuels } from '../duels/OnProfile.tsx';
import { installWorker, isNewVersionWaiting } from '../offline/install.ts';
import { navigate, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useLeagueStats } from '../session/reads.ts';
import { useRunning } from '../session/running.ts';
import { hasTeam, teamName } from '../session/team.ts';
import { endQuestion } from '../session/visit.ts';
import { AppHeader } from '../shell/AppHeader.tsx';
import { Later, NotLoaded, script, useSheet } from '../shell/Later.tsx';
import { useLastRead } from '../shell/LiveQueries.tsx';
import { EDIT_PROFILE } from '../shell/ToProfile.tsx';
import { useSlip } from '../slip/SlipProvider.tsx';
import { titled } from '../ui/brand.ts';
import { useDelayed } from '../ui/delayed.ts';
import { FormError } from '../ui/FormError.tsx';
import { Column, Page } from '../ui/Page.tsx';
import panel from '../ui/Panel.module.css';
import { serverDate } from '../ui/server-clock.ts';
import { AskedTeam } from './AskedTeam.tsx';
import { FirstGame } from './FirstGame.tsx';
import { HomeScreen } from './HomeScreen.tsx';
import { LastWeek } from './LastWeek.tsx';
import { LeagueMode } from './LeagueMode.tsx';
import { useStrips } from './load-strips.ts';
import { NewAchievements } from './NewAchievements.tsx';
import { NewVersion } from './NewVersion.tsx';
import { useNudge } from './Nudge.tsx';
import { NudgedStrip } from './NudgedStrip.tsx';
import { NumberToBeat } from './NumberToBeat.tsx';
import { OfAge } from './OfAge.tsx';
import { OfflineStrip } from './OfflineStrip.tsx';
import { Pass } from './Pass.tsx';
import { PlayerStats } from './PlayerStats.tsx';
import styles from './Profile.module.css';
import { BeatSkeleton, ProfileSkeleton, TeamSkeleton } from './ProfileSkeleton.tsx';
import { PushQuestion } from './PushQuestion.tsx';
import { useLeagueMode } from './queries.ts';
import { ShowCode, useShownCode } from './ShowCode.tsx';
import { FormerTeam, NewTeam } from './TeamChange.tsx';
import { NoTeamStats, TeamStats } from './TeamStats.tsx';
import { modeOf, whatCounts } from './team.ts';
import { WallQuestion } from './WallQuestion.tsx';

/** By then the first answers are here. A file that is not shown yet must not delay them. */
const SETTLED_MS = 2_000;
const loadEditProfile = () => import('./EditProfile.tsx');
const editProfile = script(() => loadEditProfile().then((m) => m.EditProfile));

/** The team's week. After a 400 nothing, after other failures only the team's name (PROD-37). */
function Team({ user, dim }: { user: User; dim: boolean }) {
  const { cache } = useAuth();
  const stats = useLeagueStats(hasTeam(user.team));
  const send = useNudge();
  const waiting = useDelayed(stats.isPending);
  if (waiting) return <TeamSkeleton dim={dim} />;
  if (stats.data)
    return (
      <TeamStats
        stats={stats.data}
        username={user.username}
        dim={dim}
        // By the server's clock, as “Offline since”, unless the storage is full.
        staleSince={stats.isError ? (cache.getLeagueStats()?.at ?? stats.dataUpdatedAt) : undefined}
        send={send}
      />
    );
  if (stats.isError) return <NoTeamStats name={teamName(user.team?.name)} dim={dim} />;
  return null;
}

/** The number to beat, only with a team and league mode on (HAND-37). */
function Beat({ username }: { username: string }) {
  const stats = useLeagueStats(true);
  const waiting = useDelayed(stats.isPending);
  // Reserve its place at once, so that what is below never moves.
  if (waiting || stats.isPending) return <BeatSkeleton shown={waiting} />;
  return stats.data ? <NumberToBeat stats={stats.data} username={username} /> : null;
}

function Shown({
  offline,
  ...show
}: { offline: boolean } & Omit<ComponentProps<typeof ShowCode>, 'counts'>) {
  const { user, mode } = show;
  const stats = useLeagueStats(mode === 'on');
  // If the last read failed, the games left are unknown, but not whether the week counts for a
  // team.
  const known = stats.data && (offline || stats.isError ? { ...stats.data, me: null } : stats.data);
  const counts = whatCounts(mode, teamName(user.team?.name), known, serverDate());
  return <ShowCode {...show} counts={counts} />;
}

/** `children`: the strips about the app, below a slip (HAND-07). */
function Player({
  user,
  offline,
  children,
}: {
  user: User;
  offline: boolean;
  children: ReactNode;
}) {
  const league = useLeagueMode(user);
  const mode = modeOf({ team: user.team, league_mode_enabled: league.on });
  const code = useShownCode();
  const opener = useRef<HTMLButtonElement>(null);
  const name = useRef<HTMLHeadingElement>(null);
  const [takesFocus] = useState(!useLocation().loaded);
  const { slip, putAway } = useSlip();
  // A cup and a contest come before a season: there are at most two of these strips.
  const { contest, cup, season } = useRunning();
  const strips = useStrips();
  const line = useRef<HTMLAnchorElement>(null);
  function done() {
    putAway();
    line.current?.focus({ preventScroll: true });
  }
  const focusName = () => name.current?.focus({ preventScroll: true });
  function answered() {
    endQuestion();
    focusName();
  }
  return (
    <>
      {slip && !code.shown && (
        <slip.parts.Paper key={slip.madeAt} slip={slip} isModeOff={mode === 'off'} onDone={done} />
      )}
      {children}
      <Pass
        line={line}
        user={user}
        mode={mode}
        name={name}
        takesFocus={takesFocus}
        onShow={code.show}
        opener={opener}
      />
      <OfAge user={user} onAnswered={answered} />
      <WallQuestion user={user} covered={slip !== null} onAnswered={answered} />
      <ProfileDuels user={user} onAnswered={focusName} />
      <div className={styles.offers}>
        <FormerTeam user={user} />
        {hasTeam(user.team) && <NewTeam user={user} leagueMode={league.on} />}
        {hasTeam(user.team) && <NudgedStrip />}
        <DuelStrip />
        <NewAchievements />
        {strips && cup && <strips.CupStrip cup={cup} />}
        {strips && contest && <strips.ContestStrip contest={contest} />}
        {hasTeam(user.team) && <LastWeek />}
        {strips && season && !(cup && contest) && <strips.SeasonStrip season={season} />}
      </div>
      <PushQuestion user={user} covered={slip !== null} onAnswered={answered} />
      <HomeScreen user={user} covered={slip !== null} onAnswered={answered} />
      <div className={styles.group}>
        {user.user_stat.games_played === 0 && <FirstGame hasTeam={hasTeam(user.team)} />}
        {mode === 'on' && <Beat username={user.username} />}
        <PlayerStats stat={user.user_stat} />
      </div>
      {!hasTeam(user.team) && <AskedTeam />}
      {hasTeam(user.team) && (
        <div className={styles.group}>
          <LeagueMode on={league.on} onToggle={league.toggle} />
          <Team user={user} dim={!league.on} />
        </div>
      )}
      {code.shown && (
        <Shown user={user} mode={mode} offline={offline} opener={opener} onClose={code.hide} />
      )}
    </>
  );
}

/** The start page (PROD-30). */
export function Profile() {
  const { user } = useAuth();
  const { state } = useLocation();
  const { offline, readAt } = useLastRead();
  const client = useQueryClient();
  // Decide only once: a version that arrives meanwhile is not offered (LOOK-63).
  const [offered] = useState(isNewVersionWaiting);
  useEffect(() => void installWorker(), []);
  // Load Edit Profile once the page has settled, so that it opens without a signal too. While a new
  // version waits, load nothing: a request can delay it (takeNewVersion), and the worker has the file.
  useEffect(() => {
    if (offered) return;
    const load = setTimeout(() => void loadEditProfile().catch(() => undefined), SETTLED_MS);
    return () => clearTimeout(load);
  }, [offered]);
  const { opened, open, close } = useSheet(state === EDIT_PROFILE && user !== null);
  const EditProfile = editProfile();
  // Remove the router's state, so that neither reload nor back opens the dialog again.
  useEffect(() => {
    if (state === EDIT_PROFILE) navigate('/profile', { replace: true });
  }, [state]);
  // Show a stored user immediately. Without one, show a skeleton, which may be painted already
  // (paint/prerender.tsx).
  const [painted] = useState(() => document.getElementById('frame') !== null);
  const waiting = useDelayed(user === null, painted);

  return (
    <Page court={false}>
      <title>{titled('Profile')}</title>
      <AppHeader onEdit={() => user !== null && open()} />
      <Column className={`${styles.main} ${panel.columns}`} aria-busy={user === null}>
        {opened > 0 && user !== null && (
          <Later key={opened} instead={<NotLoaded />}>
            <EditProfile
              user={user}
              onClose={close}
              onSaved={() => {
                close();
                // The team's table has the name.
                void client.invalidateQueries({ queryKey: KEYS.leagueStats });
              }}
            />
          </Later>
        )}
        {user !== null && !waiting ? (
          <Player user={user} offline={offline}>
            {offered && <NewVersion />}
            <OfflineStrip offline={offline} since={readAt} />
          </Player>
        ) : (
          <>
            {offered && <NewVersion />}
            {offline && user === null && <FormError noSignal>{CANNOT_REACH}</FormError>}
            {waiting && <ProfileSkeleton />}
          </>
        )}
      </Column>
    </Page>
  );
}
