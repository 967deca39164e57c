export const kind = 'expand';

const NAME_MAX = 30;
const endings = Array.from({ length: NAME_MAX }, (_, at) => `substr(lower(username), ${at + 1})`);

/**
 * Finds letters anywhere in a name (OPS-18), because each ending of the name is a word. The same
 * expression as in server/staff-pages/search.ts. Nothing uses the index on the beginnings of words
 * any more.
 */
export const indexes = {
  players_name_endings: `on players using gin (
    array_to_tsvector(array_remove(array[${endings.join(', ')}], ''))) where username is not null`,
};
