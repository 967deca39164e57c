/** The query key of the list of screens. Keys of previews begin with it. */
export const SCREENS = ['screens'] as const;
