import { z } from 'zod';
import { AUDIT_AREAS, AUDIT_PAGE } from '../rules/staff.ts';
import { accountId, day, id, NAME_MAX, name, ref, time } from './fields.ts';

/** `from` and `to` are days in UTC, both included. */
export const auditFilter = z.object({
  who: name(NAME_MAX).optional(),
  area: z.enum(AUDIT_AREAS).optional(),
  venue: ref.optional(),
  player: accountId.optional(),
  from: day.optional(),
  to: day.optional(),
});

/** `before`: only lines older than this id. */
export const auditQuery = auditFilter.extend({
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(AUDIT_PAGE),
});
const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export const auditRow = z.object({
  id,
  at: time,
  who: z.string(),
  area: z.enum(AUDIT_AREAS),
  what: z.string(),
  venue: z.string().nullable(),
  before: facts,
  after: facts,
});
export const auditAnswer = z.object({
  results: z.array(auditRow),
  total: z.number().int(),
  /** The names of all who have a line in the audit. */
  people: z.array(z.string()),
});

export const auditCalls = {
  'GET /api/operator/audit/': { query: auditQuery, answer: auditAnswer },
};

export type AuditRow = z.infer<typeof auditRow>;
export type AuditAnswer = z.infer<typeof auditAnswer>;
