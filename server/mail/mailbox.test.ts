import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { buildApp } from '../app.ts';
import { ownMetrics } from '../http/metrics.ts';
import { keepMail } from './kept.ts';

const t = withApp();

const keep = (subject: string, html = '<!doctype html><html><head></head><body>hi</body></html>') =>
  keepMail(t.db, t.clock.now(), { to: 'maya@example.com', subject, text: 'hi', html });
const list = async () => (await t.call('GET', '/dev/mailbox/api/')).body.results;

test('the mailbox lists kept mails, newest first', async () => {
  await keep('first');
  await keep('second');
  expect(await list()).toMatchObject([
    { subject: 'second', recipient: 'maya@example.com', text: 'hi' },
    { subject: 'first' },
  ]);
});

test('the mailbox shows a mail in a frame that runs and loads nothing', async () => {
  await keep('planted', '<html><head></head><body><script>alert(1)</script></body></html>');
  const [{ id }] = await list();
  const { status, headers, body } = await t.call('GET', `/dev/mailbox/html/${id}/`);
  expect(status).toBe(200);
  expect(body).toContain('<base target="_blank">');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'SAMEORIGIN',
  });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/; sandbox (?!.*allow-(scripts|same-origin|forms|top))/);
  expect(policy).not.toContain('script-src');
});

test.each(['999999', 'x', '1e99', '-1'])('the mailbox has no mail with the id %s', async (id) => {
  const { status } = await t.call('GET', `/dev/mailbox/html/${id}/`);
  expect([400, 404]).toContain(status);
});

test('the policy of the page allows no inline script', async () => {
  const page = await t.call('GET', '/dev/mailbox');
  expect(page.status).toBe(200);
  expect(String(page.headers['content-security-policy'])).toContain("script-src 'self';");
  for (const [, file] of String(page.body).matchAll(/(?:src|href)="(\/[^"]+)"/g))
    expect((await t.call('GET', file ?? '')).status).toBe(200);
  expect(page.body).not.toMatch(/<script>|<style|style=/);
});

describe('P46 only this computer reads the mails', () => {
  const PROXY_HEADERS = [
    ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
    ...['x-forwarded-server', 'x-forwarded-port', 'x-real-ip', 'x-original-host', 'x-client-ip'],
    ...['x-cluster-client-ip', 'true-client-ip', 'cf-connecting-ip', 'fastly-client-ip'],
  ];
  const PATHS = ['/dev/mailbox', '/dev/mailbox/mailbox.js', '/dev/mailbox/api/'];
  test.each(PATHS)('%s answers callers on this computer only', async (path) => {
    expect((await t.call('GET', path)).status).toBe(200);
    expect((await t.call('GET', path, { ip: '192.168.1.30' })).status).toBe(403);
    for (const name of PROXY_HEADERS)
      expect([
        name,
        (await t.call('GET', path, { headers: { [name]: '127.0.0.1' } })).status,
      ]).toEqual([name, 403]);
  });

  test('a proxy on this computer cannot open the mails, because it adds a header or speaks HTTP/1.0', async () => {
    const app = await buildApp({ ...t, anonymous: t.db, metrics: ownMetrics() });
    try {
      const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
      const ask = async (version: string, header = '') => {
        const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
        socket.write(
          `GET /dev/mailbox/api/ HTTP/${version}\r\nHost: localhost:3000\r\n${header}Connection: close\r\n\r\n`,
        );
        let answer = '';
        for await (const part of socket) answer += part;
        return answer.slice('HTTP/1.1 '.length).slice(0, 3);
      };
      expect(await ask('1.1')).toBe('200');
      expect(await ask('1.0')).toBe('403');
      expect(await ask('1.1', 'X-Forwarded-Proto: https\r\n')).toBe('403');
    } finally {
      await app.close();
    }
  });

  test('there is no mailbox in production or with SMTP_URL', async () => {
    for (const overrides of [{ production: true }, { smtp_url: 'smtps://mail.example.com' }]) {
      const other = await t.sibling(overrides);
      for (const path of PATHS) expect((await other.call('GET', path)).status).toBe(404);
    }
  });
});

test('the mailbox keeps a bounded number of mails', async () => {
  for (let n = 0; n < 510; n += 1) await keep(`mail ${n}`);
  const { count } = await t.db
    .selectFrom('kept_mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(500);
  expect((await list())[0].subject).toBe('mail 509');
});

test('there is no mailbox with SMTP_URL', async () => {
  const real = await testApp({ smtp_url: 'smtp://127.0.0.1:1' });
  for (const path of ['/dev/mailbox', '/dev/mailbox/api/', '/dev/mailbox/mailbox.js'])
    expect((await real.call('GET', path)).status).toBe(404);
  await real.close();
});
