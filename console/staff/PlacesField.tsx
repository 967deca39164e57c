import { useMe } from '../session/me.tsx';
import { Check } from '../ui/Field.tsx';
import type { Places } from './places.ts';

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
        onChange={() => onChange({ ...places, everything: !places.everything })}
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
