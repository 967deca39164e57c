import fs from 'node:fs';
import path from 'node:path';
import { vi } from 'vitest';

/** What survives a power cut: synced bytes in files with synced names. */
type Platter = { names: Map<string, number>; content: Map<number, Buffer> };

export class PowerCut extends Error {}

/**
 * Simulates a power cut on `folder`: from the `at`-th on, file operations (write, truncate, sync,
 * rename) throw PowerCut. Unsynced bytes are lost, except `tornShare` (0 to 1) of each unsynced
 * append.
 * @returns `end` restores the operations and leaves what the disk would have kept; `happened`:
 * whether there was an `at`-th operation.
 */
export function cutPowerAt(folder: string, at: number, tornShare: number) {
  const platter: Platter = { names: new Map(), content: new Map() };
  const inode = (handle: number) => fs.fstatSync(handle).ino;
  const syncNames = () => {
    platter.names = new Map(
      fs.readdirSync(folder).map((name) => [name, fs.statSync(path.join(folder, name)).ino]),
    );
  };
  const read = (handle: number) => {
    const bytes = Buffer.alloc(fs.fstatSync(handle).size);
    fs.readSync(handle, bytes, 0, bytes.length, 0);
    return bytes;
  };
  syncNames();
  for (const [name, ino] of platter.names)
    platter.content.set(ino, fs.readFileSync(path.join(folder, name)));

  let operations = 0;
  const step = () => {
    operations += 1;
    if (operations >= at) throw new PowerCut();
  };
  const real = { write: fs.writeSync, truncate: fs.ftruncateSync, sync: fs.fsyncSync };
  const rename = fs.renameSync;
  const spies = [
    vi.spyOn(fs, 'writeSync').mockImplementation(((...args: Parameters<typeof real.write>) => {
      step();
      return real.write(...args);
    }) as typeof fs.writeSync),
    vi.spyOn(fs, 'ftruncateSync').mockImplementation((handle, length) => {
      step();
      real.truncate(handle, length);
    }),
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      step();
      rename(from, to);
    }),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      step();
      real.sync(handle);
      if (fs.fstatSync(handle).isDirectory()) syncNames();
      else platter.content.set(inode(handle), read(handle));
    }),
  ];
  return {
    happened: () => operations >= at,
    end: () => {
      for (const spy of spies) spy.mockRestore();
      const now = new Map<number, Buffer>();
      for (const name of fs.readdirSync(folder)) {
        const file = path.join(folder, name);
        now.set(fs.statSync(file).ino, fs.readFileSync(file));
        fs.rmSync(file);
      }
      for (const [name, ino] of platter.names) {
        const safe = platter.content.get(ino) ?? Buffer.alloc(0);
        const seen = now.get(ino) ?? safe;
        const torn = seen.subarray(safe.length);
        fs.writeFileSync(
          path.join(folder, name),
          Buffer.concat([safe, torn.subarray(0, Math.floor(torn.length * tornShare))]),
        );
      }
    },
  };
}
