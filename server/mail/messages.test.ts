import { expect, test } from 'vitest';
import {
  changeEmailMessage,
  codeMessage,
  emailChangedMessage,
  passwordChangedMessage,
  providerLinkedMessage,
  resetLinkMessage,
} from './messages.ts';

const site = {
  brand: 'Backboard',
  public_url: 'https://play.example',
  support_email: 'help@play.example',
};
/** An address with every special character that is allowed (P26). */
const to = "o'hara&co`#{}|~=?^$%*!/@example.com";
const valid_until = new Date('2026-11-21T14:05:00Z');
const link = 'https://play.example/reset-password?email=a%40b.example&token=T0k3n';

const all = (brand = site.brand) => [
  codeMessage({ ...site, brand }, { to, code: '482913', valid_until }),
  resetLinkMessage({ ...site, brand }, { to, link, valid_until }),
  passwordChangedMessage({ ...site, brand }, { to, link }),
  providerLinkedMessage({ ...site, brand }, { to, provider: brand }),
  changeEmailMessage({ ...site, brand }, { to, code: '482913', valid_until }),
  emailChangedMessage({ ...site, brand }, { to }),
];

test('the code mail has the code as one word, in HTML, preheader and text', () => {
  const mail = codeMessage(site, { to: 'maya@example.com', code: '482913', valid_until });
  expect(mail).toMatchObject({ to: 'maya@example.com', valid_until });
  expect(mail.subject).toBe('Your verification code');
  expect(mail.text).toContain('Your verification code is 482913\n');
  expect(mail.text).toContain('until 14:05 UTC');
  expect(mail.html).toMatch(/<div style="display:none[^>]*>Your verification code is 482913</);
  expect(mail.html).toMatch(/<p class="code"[^>]*>482913<\/p>/);
});

test.each([resetLinkMessage, passwordChangedMessage])('%o contains its link', (make) => {
  const mail = make(site, { to, link, valid_until });
  expect(mail.text).toContain(link);
  expect(mail.html).toContain(`href="${link.replace('&', '&amp;')}"`);
});

test.each([
  'https://evil.example/reset-password?token=T0k3n',
  'https://play.example.evil.example/',
  'https://play.example@evil.example/',
  'http://play.example/',
  '//evil.example/',
  'javascript:alert(1)',
])('no mail links to %s', (other) => {
  expect(() => resetLinkMessage(site, { to, link: other, valid_until })).toThrow();
  expect(() => passwordChangedMessage(site, { to, link: other })).toThrow();
});

test('code and reset mails expire, and notices do not', () => {
  expect(all().map((mail) => mail.valid_until)).toEqual([
    valid_until,
    valid_until,
    null,
    null,
    valid_until,
    null,
  ]);
});

test('P25: text from people is never markup', () => {
  for (const { html } of all('<img src=x onerror=alert(1)> & "sons"')) {
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;sons&quot;');
    expect(html).toContain('o&#39;hara&amp;co`#{}|~=?^$%*!/@example.com');
  }
});

test('P25: a mail loads nothing, and its links lead to this site', () => {
  for (const { html, text } of all()) {
    expect(html).not.toMatch(/\ssrc=|url\(|@import|<link|<script|<iframe|<form/i);
    for (const [, target] of html.matchAll(/href="([^"]*)"/g))
      expect(target).toMatch(/^(https:\/\/play\.example\/|mailto:help@play\.example$)/);
    for (const [target] of text.matchAll(/https?:\S+/g))
      expect(target).toMatch(/^https:\/\/play\.example/);
  }
});

test('every inline colour has a counterpart for dark mode', () => {
  for (const { html } of all()) {
    const dark = html.slice(html.indexOf('@media'), html.indexOf('</style>'));
    const body = html.slice(html.indexOf('<body'));
    const used = new Set([...body.matchAll(/class="(\w+)"/g)].map(([, name]) => name));
    for (const name of used) expect(dark).toMatch(new RegExp(`\\.${name}\\b`));
    // Leave out the h1 and the p of `.head`, which keep their colour in dark mode.
    const plain = [
      ...body.matchAll(/<(?!h1|p style="margin:8px)\w+ (?![^>]*class=)[^>]*[" ;]color:/g),
    ];
    expect(plain.map(([tag]) => tag)).toEqual([]);
  }
});
