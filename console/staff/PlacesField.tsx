import { useMe } from '../session/me.tsx';
import { Check } from '../ui/Field.tsx';

export type Places = { everything: boolean; venues: string[]; leagues: string[] };

/** Chooses what a person reaches: everything, or some venues (STAFF-02). */
export function PlacesField({
  places,
  onChange,
}: {
  places: Places;
  onChange: (places: Places) => void;
}) {
  const { venues } = useMe();
  const chosen = places.venues;
  return (
    <fieldset className="field">
      <legend>Venues</legend>
      <Check
        checked={places.everything}
        onChange={() => onChange({ everything: !places.everything, venues: [], leagues: [] })}
      >
        <b>All venues and leagues</b>, also those that you add later
      </Check>
      {!places.everything &&
        venues.map(({ id, name }) => (
          <Check
            key={id}
            checked={chosen.includes(id)}
            onChange={() =>
              onChange({
                ...places,
                venues: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id],
              })
            }
          >
            <b>{name}</b>
          </Check>
        ))}
      <p className="help">Whoever has no venue sees nothing.</p>
    </fieldset>
  );
}

/** The fields of `places` that a call sends: everything, or venues and leagues. */
export const placesSent = ({ everything, venues, leagues }: Places) =>
  everything ? { everything } : { venues, leagues };
