export const kind = 'expand';

/** For the mails about new teams that wait (HAND-47). */
export const indexes = { team_changes_mail_waits: 'on team_changes (at) where mail_waits' };
