/** The most players of a team, unless TEAM_MAX is set (LEAGUE-12). */
export const TEAM_MAX_DEFAULT = 12;
/** Without the lookalikes 0, O, 1, I and L (LEAGUE-13). */
export const TEAM_CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const TEAM_CODE_LENGTH = 6;

/** Normalises a typed code: no spaces or dashes, upper case. */
export function teamCode(typed: string): string {
  return typed.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

export function isTeamCode(text: string): boolean {
  return (
    text.length === TEAM_CODE_LENGTH && [...text].every((one) => TEAM_CODE_LETTERS.includes(one))
  );
}
