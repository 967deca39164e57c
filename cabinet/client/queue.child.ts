/** A machine that plays as fast as the disk allows, for the test that kills it. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { Queue } from './queue.ts';

const print = (line: string) => fs.writeSync(1, `${line}\n`);
const queue = new Queue(process.argv[2] ?? '', { rewriteAt: 4_096 });
for (let score = 0; ; score += 1) {
  const id = randomUUID();
  print(`start ${id}`);
  queue.add({ id, player: randomUUID(), score, played_at: new Date().toISOString() });
  print(`stored ${id}`);
  if (queue.size < 12) continue;
  const answered = queue.oldest(7);
  const refused = answered[0];
  if (refused === undefined) continue;
  for (const game of answered) print(`answered ${game.id}`);
  queue.reject({
    game: refused,
    answer: { id: refused.id, status: 'rejected', reason: 'unknown_player' },
  });
  print(`settled ${refused.id}`);
  queue.settle(answered.slice(1).map((game) => game.id));
  for (const game of answered.slice(1)) print(`settled ${game.id}`);
}
