/** The key of the list of screens. The keys of previews begin with the same word. */
export const SCREENS = ['screens'] as const;
