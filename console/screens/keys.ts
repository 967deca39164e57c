/** The query key of the list of screens. For a preview, the screen's id is appended. */
export const SCREENS = ['screens'] as const;
