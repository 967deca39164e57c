import type { MachineGame } from '#contract/wire/machines.ts';
import type { Disk } from './queue.ts';

const NAME = 'court';
const VERSION = 1;

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    const database = request.result;
    // Ascending keys keep the order.
    database.createObjectStore('games', { autoIncrement: true }).createIndex('id', 'id');
    database.createObjectStore('rejected', { autoIncrement: true });
    database.createObjectStore('settings');
  };
  return result(request);
}

/**
 * Opens the machine's disk, an IndexedDB database with strict durability.
 * @throws Error when the browser cannot store anything.
 */
export async function openDisk(): Promise<Disk> {
  const database = await openDatabase().catch(() => {
    throw new Error(
      `This browser blocks stored data for ${location.host}, and the machine keeps its games in it. Allow it, then load the page again.`,
    );
  });
  return {
    read: async () => {
      const transaction = database.transaction(['games', 'settings']);
      const settings = transaction.objectStore('settings');
      const [games, offset, key] = await Promise.all([
        result<MachineGame[]>(transaction.objectStore('games').getAll()),
        result<number | undefined>(settings.get('clock_offset_ms')),
        result<string | undefined>(settings.get('key')),
      ]);
      return { games, clock_offset_ms: offset ?? 0, key: key ?? null };
    },
    write: (change) =>
      new Promise((done, fail) => {
        const transaction = database.transaction(['games', 'rejected', 'settings'], 'readwrite', {
          durability: 'strict',
        });
        transaction.oncomplete = () => done();
        transaction.onabort = () => fail(transaction.error);
        const games = transaction.objectStore('games');
        const settings = transaction.objectStore('settings');
        const remove = (id: string) => {
          const found = games.index('id').getKey(id);
          found.onsuccess = () => {
            if (found.result !== undefined) games.delete(found.result);
          };
        };
        if ('add' in change) games.add(change.add);
        else if ('settled' in change) for (const id of change.settled) remove(id);
        else if ('rejected' in change) {
          transaction.objectStore('rejected').add(change.rejected);
          remove(change.rejected.game.id);
        } else for (const [name, value] of Object.entries(change)) settings.put(value, name);
      }),
  };
}
