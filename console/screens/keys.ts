/** The keys of previews begin with it. */
export const SCREENS = ['screens'] as const;
