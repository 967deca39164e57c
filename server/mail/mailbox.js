// /dev/mailbox, without a build.

const POLL_EVERY_MS = 1000;

const at = (id) => document.getElementById(id);
const list = at('list');
const when = (iso) => new Date(iso).toLocaleString();
let mails = [];
let shown = null;

function linked(text) {
  return text.split(/(https?:\/\/\S+)/).map((part, i) => {
    if (i % 2 === 0) return part;
    const link = document.createElement('a');
    link.href = part;
    link.target = '_blank';
    link.textContent = part;
    return link;
  });
}

function row(mail) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `#${mail.id}`;
  for (const [tag, text] of [
    ['strong', mail.subject],
    ['span', mail.recipient],
    ['time', when(mail.sent_at)],
  ]) {
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part);
  }
  item.append(link);
  item.id = `mail-${mail.id}`;
  return item;
}

function show() {
  const wanted = Number(location.hash.slice(1));
  const mail = mails.find(({ id }) => id === wanted) ?? mails[0];
  at('mail').hidden = mail === undefined;
  for (const link of list.querySelectorAll('a')) link.removeAttribute('aria-current');
  if (mail === undefined) return;
  at(`mail-${mail.id}`).firstChild.setAttribute('aria-current', 'true');
  if (shown === mail.id) return;
  shown = mail.id;
  at('subject').textContent = mail.subject;
  at('recipient').textContent = mail.recipient;
  at('sent').textContent = when(mail.sent_at);
  at('sent').dateTime = mail.sent_at;
  at('text').replaceChildren(...linked(mail.text));
  at('html').src = `/dev/mailbox/html/${mail.id}/`;
}

async function poll() {
  try {
    const answer = await fetch('/dev/mailbox/api/');
    if (!answer.ok) throw new Error(String(answer.status));
    const { results } = await answer.json();
    // Keep old rows, because one may have the focus.
    const newest = mails[0]?.id ?? 0;
    list.prepend(...results.filter(({ id }) => id > newest).map(row));
    while (list.children.length > results.length) list.lastChild.remove();
    mails = results;
    at('state').textContent = mails.length === 0 ? 'No mails yet.' : '';
    show();
  } catch {
    at('state').textContent = 'Cannot reach the server. Trying again…';
  }
  setTimeout(poll, POLL_EVERY_MS);
}

addEventListener('hashchange', show);
poll();
