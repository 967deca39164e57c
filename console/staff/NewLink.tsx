import { ROLE_NAMES } from '#contract/rules/staff.ts';
import type { LinkAnswer } from '#contract/wire/staff.ts';
import { listStaff, takeLinkBack } from '../api/calls.ts';
import { useChange, useRead } from '../api/queries.ts';
import { useMe } from '../session/me.tsx';
import { Page } from '../shell/Page.tsx';
import { Button } from '../ui/Button.tsx';
import { Copyable } from '../ui/Copy.tsx';
import { RingIcon, WellIcon } from '../ui/Icon.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Qr } from '../ui/Qr.tsx';
import { clockTime, dayAndTime } from '../ui/times.ts';
import { STAFF } from './keys.ts';
import { placesInWords } from './roles.ts';

/** A new one-time link (P61). Says when somebody has used it. */
export function NewLink({
  link: { staff, url, valid_until },
  onDone,
}: {
  link: LinkAnswer;
  onDone: () => void;
}) {
  const people = useRead(STAFF, listStaff, ['staff']);
  const now = people.data?.results.find(({ id }) => id === staff.id);
  const known = staff.devices.map(({ id }) => id);
  const device = now?.devices.find(({ id }) => !known.includes(id));
  const arrived = device !== undefined || (now?.joined === true && !staff.joined);
  const ended = now !== undefined && now.link_until === null;
  const back = useChange(takeLinkBack, { stale: [STAFF], onDone });
  const own = useMe().id === staff.id;
  const first = staff.name.split(' ')[0] ?? staff.name;
  return (
    <Page
      title={`A link for ${staff.name}`}
      about={`${ROLE_NAMES[staff.role]}, ${placesInWords(staff)}`}
    >
      <div className="w44">
        <section className="panel" aria-labelledby="link">
          <h2 id="link">Shown this once</h2>
          <p className="sm">
            Sets up one device, once, until <b className="ink">{dayAndTime(valid_until)}</b>. Give
            it to {own ? 'nobody' : `${first} only`}: whoever opens it first can use the console in{' '}
            {own ? 'your' : `${first}’s`} name.
          </p>
          <div className="mt3">
            <Copyable text={url} what="the link" />
          </div>
          <div className="qrrow mt4">
            <Qr text={url} label={`The link for ${staff.name} as a QR code`} size="13rem" />
            <div>
              <h3>{own ? 'The other device is here?' : `${first} stands beside you?`}</h3>
              <p className="sm mt1">
                {own
                  ? 'Scan this with the phone or tablet that you will use.'
                  : `Let ${first} scan this with the phone or tablet that will be used.`}
              </p>
              <h3 className="mt4">{own ? 'It' : first} is elsewhere?</h3>
              <p className="sm mt1">
                Send the link by a message that only {own ? 'you read' : `${first} reads`}. Not on
                the notice board.
              </p>
            </div>
          </div>
          <p className="mt4" role="status">
            {arrived ? (
              <span className="st">
                <WellIcon />
                {own ? 'It' : first} is in
                {device ? `: ${device.name}, ${clockTime(device.created_at)}` : ''}
              </span>
            ) : (
              <span className="st st--off">
                <RingIcon />
                {ended
                  ? 'This link has ended: it was used, ran out, or was taken back'
                  : `Waiting for ${own ? 'your other device' : first}`}
              </span>
            )}
          </p>
          {back.isError && (
            <Failed
              what="The link still works"
              error={back.error}
              onAgain={() => back.mutate(staff.id)}
            />
          )}
          <div className="acts mt3">
            <Button look="primary" onClick={onDone}>
              Done
            </Button>
            {!arrived && !ended && (
              <Button onClick={() => back.mutate(staff.id)}>Take the link back</Button>
            )}
          </div>
        </section>
      </div>
    </Page>
  );
}
