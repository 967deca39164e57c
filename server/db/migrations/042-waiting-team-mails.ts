export const kind = 'expand';

/** Finds the mails about new teams that are not yet sent (HAND-47). */
export const indexes = { team_changes_mail_waits: 'on team_changes (at) where mail_waits' };
