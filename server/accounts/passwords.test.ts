import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { hash } from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { Refusal } from '../errors.ts';
import {
  hashPassword,
  isPassword,
  needsRehash,
  PASSWORD_COMMON,
  PASSWORD_OBVIOUS,
  requireGoodPassword,
  shareHashing,
  stolenPasswords,
} from './passwords.ts';

function refusal(password: string, about: string[] = []): unknown {
  try {
    requireGoodPassword(password, about);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.body : error;
  }
}

describe('P11: length and form', () => {
  test.each([
    ['seven letters', 'kite-77', 'Password must be at least 8 characters long'],
    ['seven emoji, 14 UTF-16 units', '🏀'.repeat(7), 'Password must be at least 8 characters long'],
    [
      '129 characters',
      'ab1 '.repeat(40).slice(0, 129),
      'Password must be at most 128 characters long',
    ],
    ['512 bytes in 128 characters', '🏀🎯🎲🎮'.repeat(32), null],
    [
      '516 bytes in 129 characters',
      '🏀'.repeat(129),
      'Password must be at most 128 characters long',
    ],
    ['eight emoji', '🏀🎯🎲🎮🎳🎱🎻🎺', null],
    ['spaces inside and at the ends', '  a kite  ', null],
    ['128 characters', 'ab1 '.repeat(32), null],
  ])('%s', (_, password, message) => {
    expect(refusal(password)).toEqual(message === null ? null : { password: [message] });
  });

  test('a password is the same in composed and decomposed letters, but not in another letter case', async () => {
    const stored = await hashPassword('café au lait é');
    expect(await isPassword(stored, 'cafe\u0301 au lait e\u0301')).toBe(true);
    expect(await isPassword(stored, 'Café au lait é')).toBe(false);
    expect(await isPassword(stored, ' café au lait é')).toBe(false);
  });
});

describe('P13: passwords that attackers try first', () => {
  test('the list has at least 10,000 entries of at least 8 characters', () => {
    expect(stolenPasswords().size).toBeGreaterThanOrEqual(10_000);
  });

  test.each(['password', '12345678', 'Password', 'QWERTYUIOP', '1qaz2wsx', 'aaaaaaaa', 'HaHaHaHa'])(
    '%s is on the list',
    (password) => {
      expect(refusal(password)).toEqual({ password: [PASSWORD_COMMON] });
    },
  );

  test.each([
    ['basketball-77', []],
    ['Basketball#4', []],
    ['llabteksab!', []],
    ['backboard99', []],
    ['hoopnation1', ['HoopNation']],
    ['nova.storm', ['nova.storm']],
    ['mrots.avon7', ['nova.storm']],
    ['nova_7nova_7', ['nova_7']],
    ['hoopcity2026', ['Hoop City']],
    ['City!Hoop', ['Hoop City']],
    ['novastorm1', ['nova.storm']],
  ])('%s is too close to %j', (password, about) => {
    expect(refusal(password, about)).toEqual({ password: [PASSWORD_OBVIOUS] });
  });

  test.each([
    ['quiet orange kite', ['nova', 'Backboard']],
    ['nova likes long walks', ['nova']],
    ['my basketball sings', []],
    ['abcannezzz', ['ann', '']],
    ['a city of hoops and lights', ['Hoop City']],
  ])('%s is not too close to %j', (password, about) => {
    expect(refusal(password, about)).toBeNull();
  });
});

describe('P14: hashes', () => {
  test('are argon2id with the parameters of the policy, salted', async () => {
    const [one, two] = await Promise.all([hashPassword('quiet kite'), hashPassword('quiet kite')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    const [salt = '', tag = ''] = one.split('$').slice(4);
    expect(Buffer.from(salt, 'base64')).toHaveLength(16);
    expect(Buffer.from(tag, 'base64')).toHaveLength(32);
    expect(needsRehash(one)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('are computed by threads of low priority', async () => {
    await isPassword(null, 'quiet kite');
    const threads = readdirSync('/proc/self/task').filter((id) =>
      readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('libuv-worker'),
    );
    expect(threads.length).toBeGreaterThan(0);
    const nicer = Math.min(getPriority() + 5, 19);
    expect(threads.map((id) => getPriority(Number(id)))).toEqual(threads.map(() => nicer));
  });

  test('need a rehash if they have other parameters', async () => {
    const old = await hash('quiet kite', { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    expect(needsRehash(old)).toBe(true);
    expect(await isPassword(old, 'quiet kite')).toBe(true);
  });

  test('an account without a password accepts no password', async () => {
    expect(await isPassword(null, '')).toBe(false);
    expect(await isPassword(null, 'quiet kite')).toBe(false);
  });
});

describe('P15: the hash budget', () => {
  test.each([
    [1, 1],
    [3, 1],
    [3, 2],
    [4, 2],
    [1, 8],
  ])(
    'with %i hashes at once for %i processes, a process runs its share and queues 64 passwords for 3 s',
    async (hashes, processes) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const takeBack = shareHashing(hashes, processes);
      try {
        let refused = 0;
        const all = Array.from({ length: 100 }, () =>
          hashPassword('quiet orange kite').catch(() => {
            refused += 1;
          }),
        );
        await new Promise((resolve) => setImmediate(resolve));
        const share = Math.max(1, Math.floor(hashes / processes));
        expect(refused).toBe(100 - 64 - share);
        vi.advanceTimersByTime(2_999);
        await new Promise((resolve) => setImmediate(resolve));
        expect(refused).toBe(100 - 64 - share);
        vi.advanceTimersByTime(1);
        await Promise.all(all);
        expect(refused).toBeGreaterThan(64);
      } finally {
        takeBack();
        vi.useRealTimers();
      }
    },
  );
});
