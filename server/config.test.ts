import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BadConfiguration, environment, isWeakSecret, readSettings } from './config.ts';
import { FINISH_MS, SHUTDOWN_MS } from './process/shutdown.ts';

const SECRET = 'TzC7mX0pQ4vN9sLbK2wR8eYhU3aJ6dGf';
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://play.example.com',
  DATABASE_URL: 'postgres://backboard@db.example.com/backboard?sslmode=verify-full',
  SECRET_KEY: SECRET,
  SMTP_URL: 'smtps://mail.example.com',
};

function problems(environment: Record<string, string | undefined>): string {
  try {
    readSettings(environment);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(BadConfiguration);
    return String(error);
  }
}

test('without MAIL_FROM and SUPPORT_EMAIL, both addresses are at the site’s host', () => {
  expect(readSettings(PRODUCTION)).toMatchObject({
    mail_from: '"Backboard" <no-reply@play.example.com>',
    support_email: 'help@play.example.com',
  });
});

test('PUSH-46: notifications are off if a push service cannot reach the operator', () => {
  const pushOf = (more: object) => readSettings({ ...PRODUCTION, ...more }).push?.subject;
  expect(pushOf({})).toBe('https://play.example.com');
  expect(pushOf({ SUPPORT_EMAIL: 'us@example.com' })).toBe('mailto:us@example.com');
  expect(pushOf({ PUSH: '0' })).toBeUndefined();
  for (const host of ['arcade.local', 'a.test', 'a.example', 'localhost', '127.0.0.1', 'arcade'])
    expect(pushOf({ VAPID_SUBJECT: `https://${host}/` })).toBeUndefined();
  expect(readSettings({ ...PRODUCTION, VAPID_SUBJECT: 'mailto:a@b.local' }).warnings).toEqual([
    expect.stringMatching(/^Notifications are off: set VAPID_SUBJECT/),
  ]);
  for (const VAPID_SUBJECT of ['mailto:<a@b.com>', 'a@b.com', 'https://a b.com'])
    expect(problems({ VAPID_SUBJECT })).toMatch(/VAPID_SUBJECT must be/);
  for (const PUSH_HOSTS of ['https://a.com', '10.0.0.1', '*', '*.com', 'A.com', ','])
    expect(problems({ PUSH_HOSTS })).toMatch(/PUSH_HOSTS must be/);
});

test('the example for production lacks only its two secrets', () => {
  const example = readFileSync(
    join(import.meta.dirname, '../deploy/backboard.env.example'),
    'utf8',
  );
  const given = Object.fromEntries(
    [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  for (const name of Object.keys(given)) expect(Object.keys(environment.shape)).toContain(name);
  expect(problems({ ...given, NODE_ENV: 'production' })).toMatch(/SECRET_KEY is required/);
  expect(
    problems({
      ...given,
      NODE_ENV: 'production',
      SECRET_KEY: SECRET,
      BACKBOARD_OPERATOR_KEY: SECRET,
    }),
  ).toBe('');
});

test('nothing is required for a first start', () => {
  expect(readSettings({})).toMatchObject({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    public_url: 'http://localhost:3000',
    database_url: null,
    smtp_url: null,
    google: null,
    min_age: 13,
    push: {
      hosts: [
        'fcm.googleapis.com',
        '*.push.services.mozilla.com',
        '*.push.apple.com',
        '*.notify.windows.com',
      ],
      subject: 'mailto:support@backboard.example',
    },
    adult_age: 18,
    max_score: 9999,
    demo: true,
  });
});

test('TRUSTED_PROXIES accepts IPv4 and IPv6 networks', () => {
  const TRUSTED_PROXIES = '10.0.0.1, 192.168.0.0/16,::1,fd00::/8';
  expect(readSettings({ TRUSTED_PROXIES }).trusted_proxies).toEqual([
    '10.0.0.1',
    '192.168.0.0/16',
    '::1',
    'fd00::/8',
  ]);
});

test('empty variables count as not set', () => {
  expect(readSettings({ PORT: '', SMTP_URL: '' })).toMatchObject({ port: 3000, smtp_url: null });
});

test('a full production environment is accepted', () => {
  expect(readSettings(PRODUCTION)).toMatchObject({ production: true, secret_keys: [SECRET] });
});

describe('REL-20 a bad configuration is refused with the name of its key', () => {
  test.each(['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY', 'SMTP_URL'])('%s missing', (name) => {
    expect(problems({ ...PRODUCTION, [name]: undefined })).toContain(`${name} is required`);
  });

  const WRONG: [name: string, value: string][] = [
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'play.example.com'],
    ['PUBLIC_URL', 'ftp://play.example.com'],
    ['PUBLIC_URL', 'https://play.example.com/backboard'],
    ['PUBLIC_URL', 'https://play.example.com?venue=1'],
    ['PUBLIC_URL', 'https://me:secret@play.example.com'],
    ['DATABASE_URL', 'mysql://db/backboard'],
    ['SMTP_URL', 'mail.example.com'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', 'a'.repeat(64)],
    ['SECRET_KEY', 'change-me-change-me-change-me-change-me'],
    ['SECRET_KEY', `${SECRET},short`],
    ['BACKBOARD_OPERATOR_KEY', 'operator'],
    ['BACKBOARD_OPERATOR_KEY', `${SECRET} ${SECRET}`],
    ['BACKBOARD_OPERATOR_KEY', SECRET.repeat(20)],
    ['GOOGLE_ISSUER', 'accounts.google.com'],
    ['GOOGLE_ISSUER', 'http://accounts.example.com'],
    ['GOOGLE_ISSUER', 'http://localhost:3001'],
    ['GOOGLE_CLIENT_ID', 'only-half'],
    ['OIDC_ISSUER', 'id.example.com'],
    ['OIDC_ISSUER', 'http://id.example.com'],
    ['OIDC_ISSUER', 'http://localhost:8080'],
    ['OIDC_ISSUER', 'https://id.example.com?tenant=1'],
    ['OIDC_ISSUER', 'https://accounts.google.com'],
    ['OIDC_CLIENT_ID', 'only-a-part'],
    ['OIDC_NAME', 'x'.repeat(31)],
    ['MIN_AGE', '-1'],
    ['PUSH', 'yes'],
    ['PUSH_HOSTS', 'https://a.com'],
    ['VAPID_SUBJECT', 'a@b.com'],
    ['ADULT_AGE', '-1'],
    ['TEAM_MAX', '0'],
    ['MIN_AGE', 'thirteen'],
    ['HOST', '\n'],
    ['DATA_DIR', 'data\0'],
    ['BRAND_NAME', 'Back\r\nBcc: all@example.com'],
    ['BRAND_NAME', 'x'.repeat(41)],
    ['SUPPORT_EMAIL', 'nobody'],
    ['MAIL_FROM', 'Play <play@example.com>\r\nBcc: all@example.com'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1,all'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['DATABASE_URL', 'db.example.com/backboard'],
    ['MAX_SCORE', '0'],
    ['DEMO', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '10'],
    ['SHED', 'no'],
    ['DEV_OPEN', 'yes'],
    ['ALLOW_PLAIN', 'everything'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::ffff:0:0/96'],
    ['TRUSTED_PROXIES', '0:0:0:0:0:ffff:a00:0/103'],
    ['TRUSTED_PROXIES', '10.0.0.1,::/0'],
    ['TRUSTED_PROXIES', '0.0.0.0/1,128.0.0.0/1'],
    ['DATABASE_REPLICA_URL', 'replica.example.com'],
    ['WEB_PROCESSES', '0'],
    ['WEB_PROCESSES', '65'],
    ['PASSWORD_HASHES', '0'],
    ['PASSWORD_HASHES', '65'],
    ['WORK_BITS', '0'],
    ['WORK_BITS', '29'],
    ['MAIL_UNPROVEN_MAX', '0'],
  ];
  test.each(WRONG)('%s=%j', (name, value) => {
    expect(problems({ ...PRODUCTION, [name]: value })).toContain(name);
  });

  test.each([
    ['DRAIN_SECONDS', '10', 'must be at most 9'],
    ['PORT', '-1', 'must be at least 0'],
    ['PORT', 'eighty', 'must be a number'],
    ['PUBLIC_URL', 'https://play.example.com/app', 'without a user, path or query'],
    ['BACKBOARD_OPERATOR_KEY', `${SECRET}ß`, 'without blanks'],
  ])('%s=%j: %s', (name, value, words) => {
    const message = problems({ ...PRODUCTION, [name]: value });
    expect(message.split('\n').slice(1)).toEqual([expect.stringContaining(words)]);
  });

  test.each([
    ['SMTP_URL', 'smtps://me:pa#ss@mail.example.com'],
    ['SMTP_URL', 'smtps://me:12#ss@mail.example.com'],
    ['SMTP_URL', 'smtps://me:12/ss@mail.example.com'],
    ['SMTP_URL', 'smtps://me:12?ss@mail.example.com'],
    ['SMTP_URL', 'smtps://me:a@b#ss@mail.example.com'],
    ['SMTP_URL', 'smtps://me:100%@mail.example.com'],
    ['DATABASE_URL', 'postgres://me:pa#ss@db.example.com/backboard?sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://me:12/ss@db.example.com/backboard?sslmode=verify-full'],
    ['DATABASE_URL', 'postgres://me:%zz@db.example.com/backboard?sslmode=verify-full'],
  ])('OPS-32: %s=%j has a password that must be encoded', (name, value) => {
    const message = problems({ ...PRODUCTION, [name]: value });
    expect(message.split('\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`${name}.* must be encoded: .*# as %23`)),
    ]);
    expect(message).not.toContain('ss@');
  });

  test('OPS-32: an encoded password is accepted, also with a second @', () => {
    for (const value of [
      'smtps://me:pa%23ss%2F@mail.example.com',
      'smtps://me@there:a@mail.example.com',
    ])
      expect(readSettings({ ...PRODUCTION, SMTP_URL: value }).smtp_url).toBe(value);
  });

  test('the cases above cover every variable that can be wrong', () => {
    const { shape } = environment;
    const free = ['NODE_ENV', 'GOOGLE_CLIENT_SECRET', 'OIDC_CLIENT_SECRET', 'PGHOST'];
    const tried = new Set([...WRONG.map(([name]) => name), ...free]);
    expect(Object.keys(shape).filter((name) => !tried.has(name))).toEqual([]);
  });

  test('one message lists all problems', () => {
    const message = problems({ NODE_ENV: 'production', PORT: 'x', SECRET_KEY: 'short' });
    for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'SMTP_URL', 'PORT', 'SECRET_KEY'])
      expect(message).toContain(name);
    expect(message.split('\n')).toHaveLength(6);
  });

  test('a refused secret is not repeated in the message', () => {
    expect(problems({ ...PRODUCTION, SECRET_KEY: 'hunter2-hunter2' })).not.toContain('hunter2');
  });
});

describe('ACC-49 the settings of another identity provider', () => {
  const OIDC = {
    OIDC_ISSUER: 'https://id.example.com/realms/play',
    OIDC_CLIENT_ID: 'backboard',
    OIDC_CLIENT_SECRET: 'of-the-provider',
    OIDC_NAME: 'Acme ID',
  };
  const linesOf = (given: Record<string, string | undefined>) =>
    problems({ ...PRODUCTION, ...OIDC, ...given })
      .split('\n')
      .slice(1);

  test('all four settings are accepted, beside those for Google', () => {
    expect(readSettings({ ...PRODUCTION, ...OIDC }).oidc).toEqual({
      issuer: OIDC.OIDC_ISSUER,
      client_id: 'backboard',
      client_secret: 'of-the-provider',
      name: 'Acme ID',
    });
    expect(readSettings(PRODUCTION).oidc).toBeNull();
  });

  test.each(Object.keys(OIDC))('without %s the message names the missing setting', (name) => {
    expect(linesOf({ [name]: undefined })).toEqual([
      expect.stringMatching(new RegExp(`belong together: set ${name} too, or none of them`)),
    ]);
  });

  test('an issuer on this machine is accepted in development only', () => {
    const OIDC_ISSUER = 'http://localhost:8080';
    expect(readSettings({ ...OIDC, OIDC_ISSUER }).oidc?.issuer).toBe(OIDC_ISSUER);
    expect(linesOf({ OIDC_ISSUER })).toEqual([
      expect.stringContaining('must start with https:// when NODE_ENV=production'),
    ]);
  });

  test('Google’s issuer is refused as the other provider, with or without a final slash', () => {
    for (const OIDC_ISSUER of ['https://accounts.google.com', 'https://accounts.google.com/'])
      expect(linesOf({ OIDC_ISSUER })).toEqual([expect.stringContaining('GOOGLE_CLIENT_ID')]);
    expect(linesOf({ GOOGLE_ISSUER: OIDC.OIDC_ISSUER })).toHaveLength(1);
  });
});

describe('P46 a development server is closed to others', () => {
  const OPEN = [
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.20' },
    { HOST: 'arcade.example.com' },
    { PUBLIC_URL: 'https://play.example.com' },
    { PUBLIC_URL: 'http://192.168.1.20:3000' },
    { PUBLIC_URL: 'https://localhost.example.com' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
    { HOST: '0.0.0.0', NODE_ENV: 'development' },
    { HOST: '0.0.0.0', SMTP_URL: 'smtps://mail.example.com', DEMO: '0' },
  ];
  test.each(OPEN)('%j is refused in one line; DEV_OPEN=1 turns it into a warning', (given) => {
    const lines = problems(given).split('\n').slice(1);
    expect(lines).toEqual([expect.stringMatching(/(HOST|PUBLIC_URL)=.*DEV_OPEN=1/)]);
    const meant = readSettings({ ...given, DEV_OPEN: '1' });
    expect(meant.warnings).toEqual([expect.stringContaining('development mailbox')]);
  });

  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '127.0.0.2' },
    { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' },
    { PUBLIC_URL: 'https://backboard.localhost' },
    { ...PRODUCTION, HOST: '0.0.0.0' },
  ])('%j starts without a warning', (given) => {
    expect(readSettings(given).warnings).toEqual([]);
  });
});

describe('P48 production refuses plain transports', () => {
  const PLAIN: [allow: string, given: Record<string, string>, name: string][] = [
    ['public', { PUBLIC_URL: 'http://play.example.com' }, 'PUBLIC_URL'],
    ['smtp', { SMTP_URL: 'smtp://mail.example.com' }, 'SMTP_URL'],
    ['smtp', { SMTP_URL: 'smtp://mail.example.com?requireTLS=false' }, 'SMTP_URL'],
    ['smtp', { SMTP_URL: 'smtps://mail.example.com?tls.rejectUnauthorized=false' }, 'SMTP_URL'],
    ['database', { DATABASE_URL: 'postgres://db.example.com/backboard' }, 'DATABASE_URL'],
    ['database', { DATABASE_URL: 'postgres://10.0.0.5/backboard?sslmode=require' }, 'DATABASE_URL'],
    ['database', { DATABASE_URL: 'postgres:///backboard?host=db.example.com' }, 'DATABASE_URL'],
    // The driver uses the last sslmode.
    [
      'database',
      { DATABASE_URL: 'postgres://10.0.0.5/b?sslmode=verify-full&sslmode=disable' },
      'DATABASE_URL',
    ],
    [
      'database',
      { DATABASE_URL: 'postgres://10.0.0.5/b?sslmode=verify-full&ssl%6dode=disable' },
      'DATABASE_URL',
    ],
    // Without a host, the driver uses PGHOST.
    [
      'database',
      { DATABASE_URL: 'postgres:///backboard', PGHOST: 'db.example.com' },
      'DATABASE_URL',
    ],
    ['database', { DATABASE_REPLICA_URL: 'postgres://db2.example.com/b' }, 'DATABASE_REPLICA_URL'],
  ];
  test('production refuses a Node that accepts any certificate, whatever ALLOW_PLAIN says', () => {
    const given = {
      ...PRODUCTION,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      ALLOW_PLAIN: 'smtp,database',
    };
    expect(problems(given)).toContain('NODE_TLS_REJECT_UNAUTHORIZED must not be 0');
  });

  test.each(PLAIN)('only ALLOW_PLAIN=%s allows %j', (allow, given, name) => {
    const lines = problems({ ...PRODUCTION, ...given })
      .split('\n')
      .slice(1);
    expect(lines).toEqual([expect.stringContaining(`${name} must`)]);
    expect(lines[0]).toContain(`ALLOW_PLAIN=${allow}`);
    const allowed = readSettings({ ...PRODUCTION, ...given, ALLOW_PLAIN: allow });
    expect(allowed.warnings).toEqual([expect.stringContaining(`ALLOW_PLAIN=${allow}: ${name}`)]);
  });

  test.each([
    { SMTP_URL: 'smtp://mail.example.com?requireTLS=true' },
    { DATABASE_URL: 'postgres://backboard@127.0.0.1/backboard' },
    { DATABASE_URL: 'postgres:///backboard?host=/run/postgresql' },
    { DATABASE_URL: 'postgresql://backboard@/backboard?host=/run/postgresql' },
    { DATABASE_URL: 'postgres://%2Frun%2Fpostgresql/backboard' },
    { DATABASE_URL: 'postgres:///backboard?host=/run/postgresql', PGHOST: 'db.example.com' },
    { DATABASE_URL: 'postgres:///backboard', PGHOST: '/run/postgresql' },
    { DATABASE_URL: 'postgres://10.0.0.5/backboard?application_name=x&sslmode=verify-full' },
  ])('%j is accepted without a warning', (given) => {
    expect(readSettings({ ...PRODUCTION, ...given }).warnings).toEqual([]);
  });
});

test('P41: the drain lasts 5 s by default in production, and a whole shutdown fits into 30 s', () => {
  expect(readSettings(PRODUCTION).drain_ms).toBe(5_000);
  const longest = readSettings({ ...PRODUCTION, DRAIN_SECONDS: '9' }).drain_ms;
  expect([longest, FINISH_MS, SHUTDOWN_MS]).toEqual([9_000, 20_000, 30_000]);
});

test('P9 of several keys the first signs and all verify', () => {
  const older = 'nQ5wX8kB1tZ9mV3cR7yL2pH6sD4fJ0aE';
  expect(readSettings({ SECRET_KEY: `${SECRET}, ${older}` }).secret_keys).toEqual([SECRET, older]);
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backboard-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, text);
    return path;
  };

  test('a secret is read without the line break at its end', () => {
    const { SECRET_KEY: _, ...rest } = PRODUCTION;
    const settings = readSettings({ ...rest, SECRET_KEY_FILE: fileWith(`${SECRET}\n`) });
    expect(settings.secret_keys).toEqual([SECRET]);
  });

  test('a secret’s file must be readable and not empty, and the variable must not hold a secret too', () => {
    const { SECRET_KEY: _, ...rest } = PRODUCTION;
    const missing = join(folder, 'missing');
    expect(problems({ ...rest, SECRET_KEY_FILE: missing })).toContain(
      `SECRET_KEY_FILE: ${missing} cannot be read (ENOENT)`,
    );
    expect(problems({ ...rest, SECRET_KEY_FILE: fileWith('\n') })).toContain('is empty');
    expect(problems({ ...rest, SECRET_KEY_FILE: fileWith('short') })).toContain(
      'SECRET_KEY is too weak',
    );
    expect(problems({ ...PRODUCTION, SECRET_KEY_FILE: fileWith(SECRET) })).toContain(
      'SECRET_KEY and SECRET_KEY_FILE: set only one of them',
    );
  });
});

test('P9 a short, monotonous or sample secret is weak', () => {
  expect(isWeakSecret(SECRET)).toBe(false);
  for (const weak of ['x', SECRET.slice(1), 'abab'.repeat(20), `my-secret-key-${SECRET}`])
    expect(isWeakSecret(weak)).toBe(true);
});

test('public_url has only the origin of PUBLIC_URL', () => {
  const settings = readSettings({ ...PRODUCTION, PUBLIC_URL: 'https://play.example.com/' });
  expect(settings.public_url).toBe('https://play.example.com');
});
