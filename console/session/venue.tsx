import { createContext, type ReactNode, use, useState } from 'react';
import { NOT_KEPT, tryToKeep } from '../../web/ui/storage.ts';
import { Select } from '../ui/Field.tsx';
import { useMe } from './me.tsx';

const STORED = 'backboard-console-venue';

type Chosen = {
  venue: string | null;
  choose: (id: string | null) => void;
  /** Whether the device keeps the choice. */
  kept: boolean;
};
const VenueContext = createContext<Chosen | null>(null);

/** Stores the chosen venue on this device. Ignores a venue that the person cannot reach. */
export function VenueProvider({ children }: { children: ReactNode }) {
  const { venues } = useMe();
  const [stored, setStored] = useState(() => localStorage.getItem(STORED));
  const [kept, setKept] = useState(true);
  const venue = venues.some(({ id }) => id === stored) ? stored : null;
  const choose = (id: string | null) => {
    localStorage.removeItem(STORED);
    setKept(id === null || tryToKeep(localStorage, STORED, id));
    setStored(id);
  };
  return <VenueContext value={{ venue, choose, kept }}>{children}</VenueContext>;
}

/**
 * The chosen venue, or null for all.
 * @throws Error outside a VenueProvider
 */
export function useVenue(): Chosen {
  const chosen = use(VenueContext);
  if (chosen === null) throw new Error('useVenue must be used within a VenueProvider');
  return chosen;
}

export function VenueSelect() {
  const { venues } = useMe();
  const { venue, choose, kept } = useVenue();
  if (venues.length < 2) return null;
  return (
    <Select
      label="Venue"
      quiet
      help={kept ? undefined : NOT_KEPT}
      value={venue ?? ''}
      onChange={(event) => choose(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">All venues</option>
      {venues.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
