import { GREY_JERSEY, mix } from '#brand/jersey-colour.ts';
import { inFull } from '#contract/rules/games.ts';
import { CODE_LENGTH } from '#contract/rules/short-code.ts';
import { art, h, s, vars } from './dom.ts';
import { hoop } from './hoop.ts';
import { isNamed, jersey, nameOf, type Person } from './jersey.ts';
import { codeOf } from './qr.ts';
import { type Body, type CupPair, type Frame, ruledLabel, type Side, type View } from './view.ts';

/* Draws a view; view.ts decides what is shown. */

/** `--wall` in styles/base.css, to mix with the player's colour. */
const WALL = '#0C1C44';
const RAY_SHARES = { background: 0.24, rays: 0.34 };
/** Up to NOTICE_SHORT characters a notice has the largest text, up to NOTICE_MID a smaller one. */
const NOTICE_SHORT = 70;
const NOTICE_MID = 140;

/** `fresh` animates the newest game, which has just arrived. */
export function draw(view: View, fresh = false): HTMLElement {
  const { frame, body } = view;
  const tv = h('div.tv', {}, top(frame), h('main', {}, content(view, fresh)), foot(frame, body));
  const slide = h('div.slide');
  const star = body.kind === 'best' ? body.player : body.kind === 'winner' ? body.places[0] : null;
  if (star) {
    const color = star.avatar_color ?? GREY_JERSEY.body;
    const cut = mix(WALL, color, RAY_SHARES.background);
    vars(tv, { '--cut': cut, '--on-2': '#fff' });
    slide.append(rays(cut, mix(WALL, color, RAY_SHARES.rays)));
  }
  slide.append(tv);
  return slide;
}

function top({ title, sub, live, clock, venue }: Frame): HTMLElement {
  const heading = h('h1.d', {}, h('span.title', {}, title));
  if (live) heading.append(h('span.live', {}, 'Live'));
  return h(
    'header.top',
    {},
    art('mark', '0 0 64 64', 'mark'),
    h('div', {}, heading, sub === '' ? null : h('p', {}, sub)),
    clock === '' ? h('span') : h('p.where', {}, h('time.n', {}, clock), h('span', {}, venue)),
  );
}

function foot({ quarters, at, asOf, address }: Frame, { kind }: Body): HTMLElement {
  if (kind === 'pair') return h('footer');
  const list = h('ol.quarters', { 'aria-hidden': 'true' });
  for (let n = 0; n < quarters; n += 1)
    list.append(h(n < at ? 'li.on' : n === at ? 'li.now' : 'li'));
  return h(
    asOf === '' ? 'footer.foot' : 'footer.foot.foot--asof',
    {},
    list,
    asOf === ''
      ? null
      : h('p.asof', { role: 'status' }, art('clock', '0 0 24 24'), h('span', {}, `as of ${asOf}`)),
    h('p', {}, 'Get your code: ', h('b', {}, address)),
  );
}

function content({ frame, body }: View, fresh: boolean): HTMLElement {
  switch (body.kind) {
    case 'tonight':
      return tonight(body, fresh);
    case 'quiet':
      return quiet();
    case 'best':
      return best(body);
    case 'ten':
      return ten(body);
    case 'matchups':
      return matchups(body);
    case 'next':
      return nextWeek(body);
    case 'season':
      return season(body);
    case 'contest':
      return contest(body);
    case 'tree':
      return tree(body);
    case 'round':
      return round(body);
    case 'winner':
      return winner(body);
    case 'won':
      return won(body);
    case 'join':
      return join(body.url);
    case 'notice':
      return notice(body.text);
    case 'pair':
      return pair(body, frame.address);
  }
}

type Of<K extends Body['kind']> = Extract<Body, { kind: K }>;

const who = (player: Person, name = 'p.who') => h(name, { 'data-fit': '' }, nameOf(player));

/** The player's jersey or, without a name, the machine's sign (HAND-53). */
const sign = (player: Person, machine: string | null, named = false) =>
  isNamed(player) ? jersey(player, named) : hoop(machine);

function tonight({ newest, rows }: Of<'tonight'>, fresh: boolean): HTMLElement {
  const list = h(fresh ? 'ol.rows.fade-in' : 'ol.rows');
  for (const row of rows)
    list.append(
      h(
        'li.row',
        {},
        sign(row, row.machine),
        h('div', {}, h('p.who', { 'data-fit': '' }, row.name), h('small', {}, row.sub)),
        row.best
          ? h('b.n.pb', {}, h('span.sr', {}, 'Personal best '), inFull(row.score))
          : h('b.n', {}, inFull(row.score)),
      ),
    );
  const frame = h(
    fresh ? 'section.frame.is-new' : 'section.frame',
    {},
    sign(newest, newest.machine, true),
    h(
      'div.who',
      {},
      h('b.d', { 'data-fit': '' }, newest.name),
      isNamed(newest)
        ? h('span', {}, h('i', {}, newest.machine), h('i', {}, newest.time))
        : h('span', {}, h('i', {}, newest.time)),
    ),
    h(newest.score > 999 ? 'p.big.n.four' : 'p.big.n', { 'data-fit': '' }, inFull(newest.score)),
  );
  return h('div.tonight', {}, frame, list);
}

function quiet(): HTMLElement {
  return h(
    'div.quiet',
    {},
    art('hoop', '0 0 420 430', 'hoop'),
    h(
      'div',
      {},
      h('h2.d', {}, 'No games', h('br'), 'yet today'),
      h('p', {}, 'The first one lands here.', h('br'), h('b', {}, 'Hold your code to any hoop.')),
    ),
  );
}

function best({ head, before, player, score, more }: Of<'best'>): HTMLElement {
  return h(
    'div.best',
    { role: 'status' },
    isNamed(player) ? h('span.sr', {}, nameOf(player)) : null,
    isNamed(player)
      ? sign(player, null, true)
      : h(
          'div.unnamed',
          {},
          sign(player, player.machine),
          h('b.d', { 'data-fit': '' }, player.machine),
        ),
    h(
      'div',
      {},
      h('h2.d', {}, head),
      h(
        'div.frame',
        {},
        h(score > 999 ? 'b.n.long' : 'b.n', { 'data-fit': '' }, inFull(score)),
        h('p.grown', {}, h('b.n', { 'data-fit': '' }, `+${inFull(more)}`), h('span', {}, 'more')),
      ),
      before === null ? null : h('p.before', { 'data-fit': '' }, before),
    ),
  );
}

function rays(background: string, color: string): SVGElement {
  const [x, y, far, count] = [960, 560, 2400, 12];
  const group = s('g', { fill: color });
  for (let n = 0; n < count; n += 1) {
    const at = (turn: number) => {
      const angle = (turn * Math.PI) / 180;
      return `${Math.round(x + far * Math.cos(angle))} ${Math.round(y + far * Math.sin(angle))}`;
    };
    group.append(s('path', { d: `M${x} ${y}L${at(n * 30)}L${at(n * 30 + 15)}Z` }));
  }
  return s(
    'svg',
    {
      class: 'rays',
      viewBox: '0 0 1920 1080',
      preserveAspectRatio: 'xMidYMid slice',
      'aria-hidden': 'true',
    },
    s('rect', { x: '-2000', y: '-2000', width: '6000', height: '6000', fill: background }),
    group,
  );
}

function ten({ places }: Of<'ten'>): HTMLElement {
  const podium = h('ol.podium');
  places.slice(0, 3).forEach((row, at) => {
    podium.append(
      h(
        at === 0 ? 'li.plate.plate--first' : 'li.plate',
        {},
        h('b.pl.n', {}, String(row.place)),
        sign(row, null, at === 0),
        who(row, at === 0 ? 'p.who.d' : 'p.who'),
        h('b.n', { 'data-fit': '' }, inFull(row.score)),
      ),
    );
  });
  if (places.length <= 3) return h('div.ten', {}, podium);
  const rows = h('ol.rows', { start: '4' });
  for (const row of places.slice(3))
    rows.append(
      h(
        'li.row',
        {},
        h('b.pl.n', {}, String(row.place)),
        sign(row, null),
        who(row),
        h('b.n', {}, inFull(row.score)),
      ),
    );
  return h('div.ten', {}, podium, rows);
}

/** The games played, with the leader's label beside them (HAND-T6). */
function played({ games, label }: Side): HTMLElement {
  return h('p', {}, label === null ? null : h('span.ahead', {}, label), h('span', {}, games));
}

function matchups({ ties }: Of<'matchups'>): HTMLElement {
  const list = h(ties.length > 3 ? 'ol.ties.ties--four' : 'ol.ties');
  for (const { home, away } of ties) {
    const own = h(
      'div.side',
      {},
      h(
        'div',
        {},
        h('h2.d', {}, home.team),
        away === null ? h('p', {}, 'No opponent this week') : played(home),
      ),
      h('b.n', {}, inFull(home.total)),
    );
    if (away === null) list.append(h('li.tie.tie--bye', {}, own));
    else
      list.append(
        h(
          Math.max(home.total, away.total) > 9_999 ? 'li.tie.tie--long' : 'li.tie',
          {},
          own,
          h(
            'div.side.side--them',
            {},
            h('b.n', {}, inFull(away.total)),
            h('div', {}, h('h2.d', {}, away.team), played(away)),
          ),
        ),
      );
  }
  return list;
}

/** Who meets next week: both plates navy, and no totals (HAND-T1). */
function nextWeek({ ties }: Of<'next'>): HTMLElement {
  const list = h(ties.length > 3 ? 'ol.ties.ties--four' : 'ol.ties');
  for (const { home, away, ruling } of ties) {
    const ruled = (side: 'home' | 'away') => {
      const label = ruling === undefined ? null : ruledLabel(ruling, side);
      return label === null ? null : h('p', {}, h('span.ahead', {}, label));
    };
    const about = away === null ? h('p', {}, 'No opponent') : ruled('home');
    const own = h('div.side', {}, h('div', {}, h('h2.d', {}, home), about));
    if (away === null) list.append(h('li.tie.tie--bye', {}, own));
    else
      list.append(
        h(
          'li.tie.tie--next',
          {},
          own,
          h('div.side', {}, h('div', {}, h('h2.d', {}, away), ruled('away'))),
        ),
      );
  }
  return list;
}

/** Long names get smaller text, because they may take several lines. */
function nameSize(name: string): string {
  const word = Math.max(...name.split(' ').map(({ length }) => length));
  if (name.length > 16 || word > 10) return 'b.name.name--long.d';
  return name.length > 9 || word > 7 ? 'b.name.name--mid.d' : 'b.name.d';
}

const points = (sum: number | null): string => (sum === null ? '' : inFull(sum));

function season({ word, plate, first, rows }: Of<'season'>): HTMLElement {
  const list = h('ol.rows');
  for (const { place, team, record, total } of rows)
    list.append(
      h(
        'li.row',
        {},
        h('b.pl.n', {}, place),
        h('p.who', {}, team, h('small', {}, record)),
        h('b.n', {}, points(total)),
      ),
    );
  if (first === null) return h('div.tonight.cham.cham--all', {}, list);
  const frame = h(
    plate ? 'div.frame.frame--lead' : 'div.frame',
    {},
    h('p.who', {}, h('span', {}, word)),
    h(nameSize(first.team), {}, first.team),
    h(
      'p.sums',
      {},
      ...[first.record, points(first.total)].filter(Boolean).map((text) => h('b.n', {}, text)),
    ),
  );
  return h('div.tonight.cham', {}, frame, list);
}

const cupLine = ({ name, sum, won }: CupPair['a']) =>
  h(
    won === null ? 'p' : won ? 'p.w' : 'p.l',
    {},
    h('span', {}, name, won ? h('span.sr', {}, ' won') : null),
    h('b.n', {}, sum),
  );

/** The last three rounds of a cup. */
function tree({ columns }: Of<'tree'>): HTMLElement {
  const all = h(columns.length < 3 ? 'div.tree3.tree3--few' : 'div.tree3');
  for (const { title, pairs } of columns) {
    const list = h('ol');
    for (const { state, third, a, b } of pairs)
      list.append(
        h(
          third ? 'li.is-third' : 'li',
          {},
          h(
            `div.pr.${state === 'now' ? 'is-now' : state}`,
            {},
            third ? h('h3', {}, 'Third place') : null,
            cupLine(a),
            cupLine(b),
          ),
        ),
      );
    all.append(h('div', {}, h('h2', {}, title), list));
  }
  return all;
}

/** Eight pairings of a long round of a cup. */
function round({ pairs }: Of<'round'>): HTMLElement {
  const list = h('ol.ties.ties--2');
  for (const { a, b } of pairs) {
    const name = (side: CupPair['a']) =>
      h(side.leads || side.won ? 'h2.d.ld' : 'h2.d', {}, side.name);
    list.append(
      h(
        'li.tie.tie--s',
        {},
        h('div.side', {}, name(a), h('b.n', {}, a.sum)),
        h('div.side.side--them', {}, h('b.n', {}, b.sum), name(b)),
      ),
    );
  }
  return list;
}

type Place = Of<'winner'>['places'][number];

const placeRow = (row: Place, kind = 'li.row') =>
  h(
    kind,
    {},
    h('b.pl.n', {}, String(row.place)),
    sign(row, null),
    who(row),
    h('b.n', {}, points(row.score)),
  );

/** The leader on a plate, then five rows; beside them the contest's code. */
function contest({ places, url, prize, over }: Of<'contest'>): HTMLElement {
  const [first, ...others] = places;
  const rows = h('ol.rows', { start: '2' });
  for (const row of others) rows.append(placeRow(row));
  const board = h('div.night__b');
  if (first === undefined) board.append(h('p.night__none.d', {}, 'Nobody yet.', h('br'), 'Play.'));
  else board.append(placeRow(first, 'div.plate.plate--lead'), rows);
  return h(
    'div.night',
    {},
    board,
    h(
      prize === null ? 'div.night__s' : 'div.night__s.night__s--prize',
      {},
      paper(url, 'Address of the contest'),
      h('p.d', {}, over ? 'Were you in it?' : 'Not on the board?'),
      h(
        'p.two',
        {},
        over ? 'Scan, and see your place.' : 'Scan, pick a name, play.',
        ...(prize === null ? [] : [h('br'), h('b', {}, `Prize: ${prize}`)]),
      ),
    ),
  );
}

/** The ball carries the place; the second and third stand below. */
function winner({ places }: Of<'winner'>): HTMLElement {
  const [first, ...others] = places;
  if (first === undefined) return h('div.best');
  const next = h('ol.next', { start: '2' });
  for (const row of others.slice(0, 2)) next.append(placeRow(row, 'li'));
  return h(
    'div.best.winner',
    { role: 'status' },
    sign(first, null, true),
    h(
      'div',
      {},
      h('h2.d', {}, 'Winner'),
      h(
        'div.frame',
        {},
        first.score === null
          ? null
          : h(first.score > 999 ? 'b.n.long' : 'b.n', { 'data-fit': '' }, inFull(first.score)),
        h('p.grown', {}, h('b', {}, '1st'), h('span', { 'data-fit': '' }, nameOf(first))),
      ),
      next,
    ),
  );
}

function won({ tiles }: Of<'won'>): HTMLElement {
  const list = h(`ol.tiles.tiles--${tiles.length}`);
  for (const tile of tiles)
    list.append(
      h(
        'li.tile',
        {},
        h('span.badge', {}, art(tile.icon, '0 0 48 48')),
        sign(tile, null),
        h('div', {}, who(tile), h('span.what', {}, tile.name)),
      ),
    );
  return list;
}

function paper(url: string, name: string): HTMLElement {
  return h('div.paper', {}, codeOf(url, name));
}

function join(url: string): HTMLElement {
  const steps = h('ol.steps');
  ['Pick a name and a jersey.', 'Hold your code to any hoop.', 'Every game is yours.'].forEach(
    (text, at) => {
      steps.append(h('li', {}, h('b.n', {}, String(at + 1)), text));
    },
  );
  return h(
    'div.join.play',
    {},
    paper(url, 'Address of the sign-up page'),
    h('div', {}, h('h2.d', {}, 'Scan to get ', h('br'), 'your own code'), steps),
  );
}

function notice(text: string): HTMLElement {
  const size = text.length <= NOTICE_SHORT ? '' : text.length <= NOTICE_MID ? '.mid' : '.long';
  return h('div.notice', {}, h(`div.frame${size}`, {}, h('p', {}, text)));
}

function pair({ code, minutes, url }: Of<'pair'>, address: string): HTMLElement {
  const boxes = h('p.boxes.d', {
    role: 'img',
    'aria-label': `Code ${code.split('').join(' ')}`,
  });
  for (let at = 0; at < CODE_LENGTH; at += 1)
    boxes.append(h('b', { 'aria-hidden': 'true' }, code.charAt(at)));
  const waiting = code === '' ? 'Waiting for the server' : 'Waiting for the console';
  const next = `New code in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return h(
    'div.join.pair',
    {},
    h(
      'div',
      {},
      h(
        'h2',
        {},
        'Open the console, choose ',
        h('b', {}, 'Screens'),
        ', and type this under ',
        h('b', {}, 'Pair a screen'),
        ':',
      ),
      boxes,
      h(
        'div.wait',
        { role: 'status' },
        art('mark', '0 0 64 64'),
        h('span', {}, h('b', {}, waiting), code === '' ? null : next),
      ),
    ),
    h('div.hang', {}, paper(url, 'Address of the console'), h('p.addr', {}, address)),
  );
}
