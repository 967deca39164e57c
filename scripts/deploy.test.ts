import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const caddyfile = readFileSync('deploy/Caddyfile', 'utf8');

test('P42: both logs of the proxy omit queries and headers, and shorten addresses to networks', () => {
  const logs = caddyfile.split(/^\s*log\b.*\{$/m).slice(1);
  expect(logs).toHaveLength(2);
  for (const filter of [
    'request>uri regexp (/join/|/friend/|/machine/players/)[^/?]+|\\?.* $1',
    'request>headers delete',
    'resp_headers delete',
    /request>remote_ip ip_mask \{\s*ipv4 24\s*ipv6 48/,
    /request>client_ip ip_mask \{\s*ipv4 24\s*ipv6 48/,
  ])
    for (const log of logs) expect(log).toMatch(filter);
});

test('P49: the proxy closes the operator’s API and the console to other networks', () => {
  expect(caddyfile).toMatch(
    /path \/api\/operator \/api\/operator\/\* \/api\/console \/api\/console\/\* \/console \/console\/\*/,
  );
  expect(caddyfile).toMatch(/not remote_ip 127\.0\.0\.0\/8 ::1 \{\$STAFF_NETWORKS\}\n/);
  expect(caddyfile).toMatch(/respond @closed 404/);
});

test('P49: the proxy of a cluster closes them by the decoded path, as the server reads it', () => {
  const haproxy = readFileSync('deploy/cluster/haproxy-web.cfg', 'utf8');
  for (const path of ['path,url_dec', 'path'])
    expect(haproxy).toContain(
      `404 if { ${path} -m beg /api/operator /api/console /console } !{ src 10.0.0.0/24 }`,
    );
});

test('REL-07: the proxies say when to try again while the server is down', () => {
  expect(caddyfile).toMatch(/handle_errors \{.*\[502, 503, 504\].*header Retry-After 5/s);
  const haproxy = readFileSync('deploy/cluster/haproxy-web.cfg', 'utf8');
  for (const status of [502, 503, 504])
    expect(haproxy).toMatch(new RegExp(`http-error status ${status} .* hdr Retry-After 5\\n`));
  expect(haproxy).toContain('http-after-response set-status 503 if { status 502 504 }');
});

test('P33: what the proxies answer by themselves has the headers of every answer', () => {
  const headers = /\(headers\) \{.*?\n\}/s.exec(caddyfile)?.[0] ?? '';
  const haproxy = readFileSync('deploy/cluster/haproxy-web.cfg', 'utf8');
  for (const [name, value] of [
    ['Strict-Transport-Security', '"max-age=63072000; includeSubDomains"'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
  ] as const) {
    expect(headers).toContain(`?${name} ${value}\n`);
    expect(haproxy).toContain(
      `http-after-response set-header ${name} ${value} unless { res.hdr(${name.toLowerCase()}) -m found }`,
    );
  }
  expect(caddyfile).toMatch(/play\.example\.com\} \{\n\timport headers\n/);
  expect(caddyfile).toMatch(/handle_errors \{\n\t\timport headers\n/);
});

test('P30e: a nightly backup is deleted before it is 35 days old', () => {
  const unit = readFileSync('deploy/backboard-backup.service', 'utf8');
  // find counts whole days, and the next run is up to a day and ten minutes later.
  expect(readFileSync('deploy/backboard-backup.timer', 'utf8')).toContain('RandomizedDelaySec=10m');
  const days = Number(/-mtime \+(\d+) -delete/.exec(unit)?.[1]);
  expect((days + 2) * 24 * 60 + 10).toBeLessThanOrEqual(35 * 24 * 60);
});

test('P30e: a weekly backup of a cluster is deleted after 35 days, also if a week was missed', () => {
  const settings = readFileSync('deploy/cluster/pgbackrest.conf', 'utf8');
  expect(settings).toContain('repo1-retention-full-type=time');
  // A full backup stays until the next one is so many days old, and then until the next run.
  const days = Number(/^repo1-retention-full=(\d+)$/m.exec(settings)?.[1]);
  expect(14 + days).toBeLessThan(35);
});

test('Patroni takes the times of a cluster as they are: 3.2 and later change others', () => {
  const settings = readFileSync('deploy/cluster/patroni.yml', 'utf8');
  const secondsOf = (name: string) =>
    Number(new RegExp(`^    ${name}: (\\d+)$`, 'm').exec(settings)?.[1]);
  const [ttl, wait, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map(secondsOf) as [
    number,
    number,
    number,
  ];
  expect(ttl).toBeGreaterThanOrEqual(20);
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(retry).toBeGreaterThanOrEqual(3);
  expect(wait + 2 * retry).toBeLessThanOrEqual(ttl);
});

test('compose.yaml needs only the four values of .env, and gives none a default', () => {
  // podman-compose 1.3 (Debian 13) expands no variable inside a default.
  const compose = readFileSync('compose.yaml', 'utf8');
  const names = [...compose.matchAll(/\$\{(\w+)([^}]*)\}/g)];
  expect(names.filter(([, , rest = '']) => rest.includes('-'))).toEqual([]);
  expect([...new Set(names.map(([, name]) => name))].sort()).toEqual([
    'DATABASE_PASSWORD',
    'SECRET_KEY',
    'SITE',
    'SMTP_URL',
  ]);
});
