import { z } from 'zod';
import { email } from './accounts.ts';
import { NAME_MAX, name, ref } from './operator.ts';
import { plain } from './plain-text.ts';
import { REPAIR_WHY_MAX } from './repair.ts';

const id = z.string().meta({ example: '1' });
const zone = z.string().min(1).max(64);

export const venueBody = z.object({ name: name(NAME_MAX), timezone: zone });
/** Omitted fields do not change. `hours: null` means always open (MACH-09). */
export const venueChangeBody = z.object({
  venue: ref,
  hours: z.string().max(400).nullable().optional(),
  timezone: zone.optional(),
});
export const venueRow = z.object({
  id,
  name: z.string(),
  timezone: z.string(),
  hours: z.string().nullable(),
});
export const venuesAnswer = z.object({ results: z.array(venueRow) });

/**
 * Puts a machine into repair; `done` ends it and removes `why` (MACH-12). `why`: what is wrong;
 * null removes it, omitting it keeps it.
 */
export const repairBody = z.object({
  machine: ref,
  done: z.boolean().default(false),
  why: plain(REPAIR_WHY_MAX, 'The reason').nullable().optional(),
});
/** Adds the venue, in UTC, if it does not exist. */
export const machineChangeBody = z.object({
  machine: ref,
  name: name(NAME_MAX).optional(),
  venue: name(NAME_MAX).optional(),
});

/**
 * The address for a person's mails about machines (MACH-15); null stops them. `staff` is the caller
 * by default.
 */
export const alertBody = z.object({ staff: ref.optional(), email: email.nullable() });
export const alertRow = z.object({ name: z.string(), email: z.string().nullable() });
export const alertsAnswer = z.object({ results: z.array(alertRow) });

export type VenueRow = z.infer<typeof venueRow>;
