import { useMe } from '../session/me.tsx';
import { Select } from '../ui/Field.tsx';

/** Chooses the venue whose staff run a league (STAFF-02). */
export function RunBy({
  value,
  error,
  onChange,
}: {
  /** The id of a venue; null for no single venue. */
  value: string | null;
  error?: string | undefined;
  onChange: (venue: string | null) => void;
}) {
  const { venues, limited } = useMe();
  return (
    <Select
      label="Run by the staff of"
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.target.value || null)}
    >
      {(!limited || value === null) && (
        <option value="">
          {limited ? 'Choose a venue' : 'No one venue: owners and managers of all'}
        </option>
      )}
      {venues.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
