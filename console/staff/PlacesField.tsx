import { useMe } from '../session/me.tsx';
import { Check } from '../ui/Field.tsx';

/** Chooses the venues that a person reaches. None ticked means all. */
export function PlacesField({
  venues,
  leagues,
  onChange,
}: {
  venues: string[];
  leagues: string[];
  onChange: (places: { venues: string[]; leagues: string[] }) => void;
}) {
  const me = useMe();
  const toggle = (ids: string[], id: string) =>
    ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
  if (me.venues.length === 0) return null;
  return (
    <fieldset className="field">
      <legend>Venues</legend>
      {me.venues.map(({ id, name }) => (
        <Check
          key={id}
          checked={venues.includes(id)}
          onChange={() => onChange({ venues: toggle(venues, id), leagues })}
        >
          <b>{name}</b>
        </Check>
      ))}
      <p className="help">Tick none to give all venues, also those that you add later.</p>
    </fieldset>
  );
}
