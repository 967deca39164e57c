import { describe, expect, test } from 'vitest';
import { hashQueue } from './hash-queue.ts';

function held() {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { job: () => gate, letGo };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));
const REFUSED = { status: 503, retryAfter: 2 };

/** Queues a job for each of `networks` behind a running job. Each notes its start in `started`. */
async function queued(networks: string[], queueMax = 100) {
  const queue = hashQueue({ atOnce: 1, queueMax, waitMs: 60_000 });
  const first = held();
  const running = queue('first', first.job);
  await tick();
  const started: string[] = [];
  const refused: string[] = [];
  const all = networks.map((network, at) =>
    queue(network, async () => {
      started.push(`${network}${at}`);
    }).catch((error: unknown) => {
      expect(error).toMatchObject(REFUSED);
      refused.push(`${network}${at}`);
    }),
  );
  await tick();
  return {
    started,
    refused,
    finish: async () => {
      first.letGo();
      await Promise.all([running, ...all]);
    },
  };
}

describe('P15: the queue of hashes', () => {
  test('the queue runs `atOnce` jobs, holds `queueMax` jobs and refuses the rest', async () => {
    const queue = hashQueue({ atOnce: 2, queueMax: 3, waitMs: 60_000 });
    const jobs = Array.from({ length: 6 }, held);
    let started = 0;
    const runs = jobs.map(({ job }) =>
      queue('one', () => {
        started += 1;
        return job();
      }),
    );
    await expect(runs[5]).rejects.toMatchObject(REFUSED);
    expect(started).toBe(2);
    jobs[0]?.letGo();
    await runs[0];
    await tick();
    expect(started).toBe(3);
    for (const { letGo } of jobs) letGo();
    await Promise.all(runs.slice(0, 5));
    expect(started).toBe(5);
  });

  test('the queue takes jobs of the networks in turn', async () => {
    const { started, finish } = await queued(['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    await finish();
    expect(started).toEqual(['a0', 'b4', 'c5', 'a1', 'b6', 'a2', 'a3']);
  });

  test('a full queue refuses the last job of the network with the most jobs', async () => {
    const { started, refused, finish } = await queued(['a', 'a', 'a', 'a', 'b', 'b', 'c', 'a'], 4);
    expect(refused.toSorted()).toEqual(['a1', 'a2', 'a3', 'a7']);
    await finish();
    expect(started).toEqual(['a0', 'b4', 'c6', 'b5']);
  });

  test('a job is refused at once if earlier jobs show that it would wait too long', async () => {
    const queue = hashQueue({ atOnce: 1, queueMax: 100, waitMs: 1_000 });
    for (let at = 0; at < 3; at += 1)
      await queue('slow', () => new Promise((resolve) => setTimeout(resolve, 400)));
    const first = held();
    const running = queue('one', first.job);
    await tick();
    const crowd = Array.from({ length: 100 }, () => queue('crowd', async () => {}));
    const outcomes = Promise.allSettled(crowd);
    await expect(crowd[99]).rejects.toMatchObject(REFUSED);
    // A job from another network waits for only one of them.
    const other = queue('other', async () => 'in time');
    first.letGo();
    expect(await other).toBe('in time');
    await running;
    const done = (await outcomes).filter(({ status }) => status === 'fulfilled');
    expect(done.length).toBeGreaterThan(1);
    expect(done.length).toBeLessThan(99);
  });

  test('a job that waits too long is refused and leaves the queue', async () => {
    const queue = hashQueue({ atOnce: 1, queueMax: 3, waitMs: 20 });
    const first = held();
    const running = queue('one', first.job);
    await expect(queue('one', async () => 'late')).rejects.toMatchObject(REFUSED);
    first.letGo();
    await running;
    expect(await queue('one', async () => 'in time')).toBe('in time');
  });

  test('a job that fails frees its slot', async () => {
    const queue = hashQueue({ atOnce: 1, queueMax: 0, waitMs: 20 });
    await expect(queue('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue('one', async () => 'next')).toBe('next');
  });
});
