import type { TeamPage } from '#contract/wire/teams.ts';
import { newTeamCode } from '../api/calls.ts';
import { TEAMS, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { AskDialog } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Copyable } from '../ui/Copy.tsx';
import { PrintIcon } from '../ui/Icon.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Qr } from '../ui/Qr.tsx';
import { JOINING_WORDS } from './words.ts';

/** A team's join code, with link and poster. */
export function Code({ team, onNew }: { team: TeamPage; onNew: () => void }) {
  const { code, url, league } = team;
  return (
    <Panel title="Join code">
      <p className="code6 mt3">
        <span aria-hidden="true">{code}</span>
        <span className="sr">{[...code].join(' ')}</span>
      </p>
      <div className="qrrow mt3">
        <Qr text={url} label={`QR code of ${url}`} />
      </div>
      <div className="mt3">
        <Copyable text={url} what="the link" />
      </div>
      <div className="acts mt3">
        <Link className="btn btn--primary" to={`/console/leagues/teams/${team.id}/poster`}>
          <PrintIcon />
          Poster
        </Link>
      </div>
      <hr className="rule" />
      <p className="sm">
        <b>{JOINING_WORDS[league.joining].name}.</b> {JOINING_WORDS[league.joining].about} To change
        this for all teams, open <Link to={`/console/leagues/${league.id}`}>{league.name}</Link>.
      </p>
      <div className="mt3">
        <Button look="full" onClick={onNew}>
          Make a new code
        </Button>
      </div>
      <p className="xs mt2">The old code and its posters stop working at once.</p>
    </Panel>
  );
}

/** Asks before the code is replaced. */
export function NewCode({ team, onClose }: { team: TeamPage; onClose: () => void }) {
  const making = useChange(() => newTeamCode(team.id), { stale: [TEAMS], onDone: onClose });
  return (
    <AskDialog
      title={`A new code for ${team.name}`}
      stops={[`${team.code}, its link and every printed poster stop working at once.`]}
      stays={['Players, requests and games stay.']}
      verb="Make a new code"
      failed="No new code"
      change={making}
      onClose={onClose}
    />
  );
}
