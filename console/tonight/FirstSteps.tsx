import type { Tonight } from '#contract/wire/tonight.ts';
import { Link } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { Copyable } from '../ui/Copy.tsx';
import { Panel } from '../ui/Panel.tsx';

/** A new installation's first steps (MACH-18). */
export function FirstSteps({ steps }: { steps: Tonight['steps'] }) {
  const owner = useMay('owner');
  const all = [
    {
      done: steps.machines,
      title: 'Add a machine',
      about: 'Name it, put its key on it, play one game. Ten minutes.',
      to: '/console/machines/add',
    },
    {
      done: steps.leagues,
      title: 'Make a league',
      about: 'A name and a time zone. Teams and weeks come after.',
      to: '/console/leagues',
    },
    {
      done: steps.staff,
      title: 'Ask the others in',
      about: 'Staff sign in with a passkey. You send each a link.',
      ...(owner ? { to: '/console/staff' } : {}),
    },
  ];
  return (
    <div className="cols">
      <ol className="col">
        {all.map(({ done, title, about, to }, at) => (
          <li className="panel" key={title}>
            <h2>
              {done && <span className="sr">Done: </span>}
              {title}
            </h2>
            <p className="sm mt1">{done ? 'Done.' : about}</p>
            {!done && to !== undefined && (
              <div className="mt3">
                <Link className={at === 0 ? 'btn btn--primary' : 'btn'} to={to}>
                  {title}
                </Link>
              </div>
            )}
          </li>
        ))}
      </ol>
      <div className="col">
        {owner && (
          <Panel title="No machine at hand?">
            <p className="sm mt2">
              Fill the console with a made-up league, six teams and a season of games, and look
              around:
            </p>
            <div className="mt3">
              <Copyable text="./backboard demo" />
            </div>
          </Panel>
        )}
        <Panel title="How players come in">
          <p className="sm mt2">
            They make an account at <b>{window.location.host}</b>, hold their code up to a machine,
            and play.
          </p>
        </Panel>
      </div>
    </div>
  );
}
