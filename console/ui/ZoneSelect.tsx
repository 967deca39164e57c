import { Select } from './Field.tsx';

export const ZONE_HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = Intl.supportedValuesOf('timeZone');

/** A select of time zones. Offers `value` even if the browser does not list it. */
export function ZoneSelect({
  value,
  help,
  error,
  onChange,
}: {
  value: string;
  help?: string;
  error?: string | undefined;
  onChange: (zone: string) => void;
}) {
  return (
    <Select
      label="Time zone"
      value={value}
      help={help}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    >
      {[...new Set([ZONE_HERE, value, ...ZONES])].sort().map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </Select>
  );
}
