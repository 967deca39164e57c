import { z } from 'zod';
import { id, NAME_MAX, name, ref } from './fields.ts';

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

export const venueCalls = {
  'GET /api/operator/venues/': { answer: venuesAnswer },
  'POST /api/operator/venues/': { body: venueBody, created: venueRow },
  'POST /api/operator/venues/change/': { body: venueChangeBody, answer: venueRow },
};

export type VenueRow = z.infer<typeof venueRow>;
