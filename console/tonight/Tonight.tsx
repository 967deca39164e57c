import { useMe } from '../session/me.tsx';
import { VenueSelect } from '../session/venue.tsx';
import { Page } from '../shell/Page.tsx';
import { Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';

const today = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

/** The console's first screen. `refused`: a screen that the role may not open led here. */
export function Tonight({ refused }: { refused?: string }) {
  const { owners } = useMe();
  return (
    <Page
      title="Tonight"
      about={today.format(new Date()).replace(',', '')}
      actions={<VenueSelect />}
    >
      <div className="col">
        {refused !== undefined && (
          <Note>
            <b>{refused}</b> You opened a page that your role cannot use. Ask{' '}
            {owners.slice(0, 2).join(' or ') || 'an owner'}.
          </Note>
        )}
        <Panel title="How players come in">
          <p className="sm mt2">
            They make an account at <b>{window.location.host}</b>, hold their code up to a machine,
            and play.
          </p>
        </Panel>
      </div>
    </Page>
  );
}
