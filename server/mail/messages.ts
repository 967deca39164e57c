import type { Config } from '../config.ts';
import { type Html, html } from '../http/html.ts';
import type { Message } from './mail.ts';

type Site = Pick<Config, 'brand' | 'public_url' | 'support_email'>;

/** The app's colours in dark mode. Light mode has inline styles. */
const STYLE = `
@media (prefers-color-scheme: dark) {
  .page { background: #0B1226 !important; }
  .mark { border-color: #9DB8FF !important; }
  .ball { border-color: #0B1226 !important; background: #FF4A68 !important; }
  .name, .code { color: #FFFFFF !important; }
  .head { background: #1B2E68 !important; }
  .card { background: #151F3A !important; }
  .ink { color: #F2F5FC !important; }
  .quiet { color: #A9B4CE !important; }
  .code { background: #1C2848 !important; border-color: #6F7C9C !important; }
  .button { background: #9DB8FF !important; color: #0B1226 !important; }
  .link { color: #AFC5FF !important; }
}`;
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

const opening = (content: Html) =>
  html`<p class="ink" style="margin:0;font-size:16px;line-height:1.5;color:#101B36">${content}</p>`;
const paragraph = (content: Html) =>
  html`<p class="ink" style="margin:22px 0 0;font-size:16px;line-height:1.5;color:#101B36">${content}</p>`;
const quiet = (content: Html) =>
  html`<p class="quiet" style="margin:12px 0 0;font-size:15px;line-height:1.5;color:#535E78">${content}</p>`;
const address = (email: string) =>
  html`<strong style="overflow-wrap:anywhere;word-break:break-word">${email}</strong>`;
const link = (to: string, text: string) =>
  html`<a class="link" href="${to}" style="color:#1D3F8F;overflow-wrap:anywhere;word-break:break-word">${text}</a>`;
const button = (to: string, text: string) =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0 0"><tr><td class="button" style="background:#12285C;border-radius:12px"><a class="button" href="${to}" style="display:inline-block;padding:15px 26px;border-radius:12px;font-size:17px;font-weight:700;color:#FFFFFF;text-decoration:none">${text}</a></td></tr></table>`;

/** The logo without an image: a mail loads nothing (LOOK-19). */
const mark = html`<td class="mark" width="20" height="20" style="width:20px;height:20px;border:7px solid #12285C;border-radius:8px;text-align:right;vertical-align:bottom;font-size:0;line-height:0"><span class="ball" style="display:inline-block;width:16px;height:16px;margin:0 -11px -11px 0;border:3px solid #ECEFF4;border-radius:50%;background:#C9143A"></span></td>`;

type Parts = {
  title: string;
  lead: string;
  /** The mail's preview on a phone. */
  preheader: string;
  body: Html[];
};

function page(site: Site, { title, lead, preheader, body }: Parts): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no"><title>${title}</title><style>${STYLE}</style></head>
<body class="page" style="margin:0;background:#ECEFF4;font-family:${FONT};color:#101B36">
<div style="display:none;max-height:0;overflow:hidden">${preheader}</div>
<div role="main"><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#ECEFF4"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px">
<tr><td align="center" style="padding:0 0 24px"><table role="presentation" cellpadding="0" cellspacing="0"><tr>${mark}<td class="name" style="padding:0 0 0 14px;font-size:30px;line-height:34px;font-weight:800;letter-spacing:1px;text-transform:uppercase;color:#12285C">${site.brand}</td></tr></table></td></tr>
<tr><td class="head" style="background:#12285C;border-radius:24px 24px 0 0;padding:30px 24px 28px;color:#FFFFFF"><h1 style="margin:0;font-size:26px;line-height:1.2;font-weight:800">${title}</h1><p style="margin:8px 0 0;font-size:16px;line-height:1.5;color:#B7C4E6">${lead}</p></td></tr>
<tr><td class="card" style="background:#FFFFFF;border-radius:0 0 24px 24px;padding:28px 24px 30px">${body}</td></tr>
<tr><td class="quiet" align="center" style="padding:22px 8px;font-size:13px;line-height:1.6;color:#535E78">${link(`${site.public_url}/privacy`, 'Privacy Policy')} &nbsp;·&nbsp; ${link(`${site.public_url}/terms`, 'Terms and Conditions')}</td></tr>
</table></td></tr></table></div></body></html>
`.markup;
}

function plain(site: Site, paragraphs: string[]): string {
  return `${[...paragraphs, `${site.brand}\n${site.public_url}`].join('\n\n')}\n`;
}

/** Such as “14:05 UTC”, because the reader's time zone is unknown. */
const time = (at: Date) => `${at.toISOString().slice(11, 16)} UTC`;

/** @throws when a link leads to another site (P25) */
function requireOwn(site: Site, target: string): void {
  if (!URL.canParse(target) || new URL(target).origin !== site.public_url)
    throw new Error('A link in a mail must lead to this site.');
}

type Digits = { to: string; code: string; valid_until: Date };

/** A mail with a code, also in its preheader (LOOK-19). */
function digitsMessage(
  site: Site,
  { to, code, valid_until }: Digits,
  { title, lead, reason, ignore }: { title: string; lead: string; reason: string; ignore: string },
): Message {
  return {
    to,
    subject: title,
    text: plain(site, [
      `${title} is ${code}`,
      `${lead} It works until ${time(valid_until)}.`,
      `${reason} ${to}.\n${ignore}`,
    ]),
    html: page(site, {
      title,
      lead,
      preheader: `${title} is ${code}`,
      body: [
        html`<p class="code" style="margin:0;background:#F6F8FB;border:2px solid #DDE3EC;border-radius:14px;padding:18px 0;text-align:center;font:800 40px/1 ${MONO};letter-spacing:10px;text-indent:10px;color:#12285C">${code}</p>`,
        paragraph(html`${reason} ${address(to)}. It works until ${time(valid_until)}.`),
        quiet(html`${ignore}`),
      ],
    }),
    valid_until,
  };
}

/** The code that verifies an address (P20). */
export function codeMessage(site: Site, digits: Digits): Message {
  return digitsMessage(site, digits, {
    title: 'Your verification code',
    lead: `Enter it in ${site.brand} to verify your email.`,
    reason: 'The code was requested for',
    ignore: 'If you did not ask for it, you can ignore this email.',
  });
}

/** The code that verifies an account's new address (P30b). */
export function changeEmailMessage(site: Site, digits: Digits): Message {
  return digitsMessage(site, digits, {
    title: 'Your code for the new address',
    lead: `Tell it to the person from ${site.brand} who is helping you.`,
    reason: 'With this code your account moves to',
    ignore: 'If you did not ask for this, tell nobody the code and ignore this email.',
  });
}

/** The link to set a password (P23). @throws when `link` is not of this site. */
export function resetLinkMessage(
  site: Site,
  { to, link: target, valid_until }: { to: string; link: string; valid_until: Date },
): Message {
  requireOwn(site, target);
  const title = 'Reset your password';
  const life = `The link works once, until ${time(valid_until)}.`;
  const ignore = 'If you did not ask for it, you can ignore this email: nothing has changed.';
  return {
    to,
    subject: title,
    text: plain(site, [`Choose a new password for ${to}:`, target, life, ignore]),
    html: page(site, {
      title,
      lead: `Choose a new password for ${site.brand}.`,
      preheader: life,
      body: [
        opening(html`A new password was requested for ${address(to)}.`),
        button(target, 'Choose a new password'),
        paragraph(
          html`${life} If the button does nothing, open this address:<br>${link(target, target)}`,
        ),
        quiet(html`${ignore}`),
      ],
    }),
    valid_until,
  };
}

/**
 * Says that the password was changed, with a link to set another (P12). `removed`: names of
 * unlinked providers.
 * @throws when `link` is not of this site.
 */
export function passwordChangedMessage(
  site: Site,
  { to, link: target, removed = [] }: { to: string; link: string; removed?: string[] },
): Message {
  requireOwn(site, target);
  const title = 'Your password was changed';
  const signedOut = 'Everyone who was signed in elsewhere has been signed out.';
  const unlinked = removed.map(
    (name) => ` The ${name} account that was linked here can no longer sign in.`,
  );
  const facts = [signedOut, ...unlinked].join('');
  const late = `If the link no longer works, use "Forgot your password?" when you sign in.`;
  return {
    to,
    subject: title,
    text: plain(site, [
      `The password for ${to} was changed. ${facts}`,
      'If this was you, there is nothing to do.',
      `If it was not, choose a new password now:\n${target}`,
      late,
    ]),
    html: page(site, {
      title,
      lead: 'If this was you, there is nothing to do.',
      preheader: facts,
      body: [
        opening(html`The password for ${address(to)} was changed. ${facts}`),
        paragraph(html`If it was not you, choose a new password now.`),
        button(target, 'Choose a new password'),
        quiet(html`${late}`),
      ],
    }),
    valid_until: null,
  };
}

function noticeMessage(
  site: Site,
  { to, title, facts }: { to: string; title: string; facts: string },
): Message {
  return {
    to,
    subject: title,
    text: plain(site, [
      `${facts} The account is ${to}.`,
      'If this was you, there is nothing to do.',
      `If it was not, write to ${site.support_email}.`,
    ]),
    html: page(site, {
      title,
      lead: 'If this was you, there is nothing to do.',
      preheader: facts,
      body: [
        opening(html`${facts} The account is ${address(to)}.`),
        paragraph(
          html`If it was not you, write to ${link(`mailto:${site.support_email}`, site.support_email)}.`,
        ),
      ],
    }),
    valid_until: null,
  };
}

type ProviderNotice = { to: string; provider: string };

/** Says that sign-in with a provider was added (P29c). */
export function providerLinkedMessage(site: Site, { to, provider }: ProviderNotice): Message {
  const facts = `You can now sign in to ${site.brand} with ${provider}.`;
  return noticeMessage(site, { to, title: `${provider} sign-in was added`, facts });
}

/** Says that sign-in with a provider was removed (P29c). */
export function providerRemovedMessage(site: Site, { to, provider }: ProviderNotice): Message {
  const facts = `You can no longer sign in to ${site.brand} with ${provider}.`;
  return noticeMessage(site, { to, title: `${provider} sign-in was removed`, facts });
}

/** Tells the old address of the change, without naming the new one (P30b). */
export function emailChangedMessage(site: Site, { to }: { to: string }): Message {
  const facts = `Your ${site.brand} account was moved to another email address, and everyone was signed out.`;
  return noticeMessage(site, { to, title: 'Your email address was changed', facts });
}

type AboutTeam = { to: string; team: string; league: string };

type TeamNews = { to: string; title: string; lead: string; facts: string; reason: string };

function teamMessage(site: Site, { to, title, lead, facts, reason }: TeamNews): Message {
  const target = `${site.public_url}/profile`;
  return {
    to,
    subject: title,
    text: plain(site, [`${lead} ${facts}`, target, `${reason} ${to}.`]),
    html: page(site, {
      title,
      lead,
      preheader: facts,
      body: [
        opening(html`${facts}`),
        button(target, 'To my profile'),
        quiet(html`${reason} ${address(to)}.`),
      ],
    }),
    valid_until: null,
  };
}

/** Says that staff have put the player on a team (HAND-47). */
export function newOnTeamMessage(
  site: Site,
  { to, team, league, words }: AboutTeam & { words: string },
): Message {
  return teamMessage(site, {
    to,
    title: `You are on ${team}`,
    lead: league,
    facts: words,
    reason: 'You get this mail because staff added you to a team. Your address is',
  });
}

/** Says that staff declined the request (LEAGUE-14). */
export function requestDeclinedMessage(site: Site, { to, team, league }: AboutTeam): Message {
  return teamMessage(site, {
    to,
    title: `No place on ${team}`,
    lead: `The manager of ${league} said no.`,
    facts: 'You can play any machine meanwhile: your games count for you.',
    reason: 'You get this mail because you asked to join a team with',
  });
}

export type AlertNews = { machine: string; venue: string | null; title: string; text: string };

/** Tells staff which alerts began or ended at a venue (MACH-15). */
export function alertMessage(
  site: Site,
  { to, news }: { to: string; news: readonly AlertNews[] },
): Message {
  const [first] = news;
  if (first === undefined) throw new Error('an alert has news');
  const title = news.length === 1 ? first.title : `${first.title}, and ${news.length - 1} more`;
  const place = first.venue ?? 'No venue';
  const target = `${site.public_url}/console/`;
  const why =
    'You get this because you asked for mails about machines. You can turn them off in the console.';
  return {
    to,
    subject: title,
    text: plain(site, [
      ...news.map((one) => `${one.title}\n${one.text}`),
      `${place}\n${target}`,
      why,
    ]),
    html: page(site, {
      title,
      lead: place,
      preheader: first.text,
      body: [
        ...news.map((one) => paragraph(html`<strong>${one.title}</strong><br>${one.text}`)),
        button(target, 'Open the console'),
        quiet(html`${why}`),
      ],
    }),
    valid_until: null,
  };
}
