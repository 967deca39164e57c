export const kind = 'expand';

/** Indexes audit lines by their author, for the list of staff. */
export const indexes = { audit_by_staff: 'on audit (staff_id) where staff_id is not null' };
