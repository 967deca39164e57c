import { beforeEach, expect, test, vi } from 'vitest';

vi.mock('workbox-precaching', () => ({
  PrecacheController: class {
    addToCacheList() {}
    createHandlerBoundToURL() {}
  },
  PrecacheRoute: class {},
}));
vi.mock('workbox-routing', () => ({ NavigationRoute: class {}, registerRoute: () => undefined }));

const ORIGIN = 'https://hoops.example.com';
const MANIFEST = '/manifest.webmanifest';

type Handler = (event: object) => void;
const handlers = new Map<string, Handler>();
let shown: { title: string; icon: string; badge: string }[];
/** The addresses of the open pages. */
let open: string[];
let calls: string[];

/** Runs the worker's handler, and what it asks the browser to wait for. */
async function send(type: string, event: object): Promise<void> {
  let work: Promise<unknown> | undefined;
  const waitUntil = (promise: Promise<unknown>) => {
    work = promise;
  };
  handlers.get(type)?.({ ...event, waitUntil });
  await work;
}

beforeEach(async () => {
  shown = [];
  open = [];
  calls = [];
  vi.stubGlobal('BUILT_FILES', []);
  vi.stubGlobal('self', {
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    location: { origin: ORIGIN },
    registration: {
      showNotification: async (title: string, options: { icon: string; badge: string }) =>
        void shown.push({ ...options, title }),
    },
    clients: {
      matchAll: async () =>
        open.map((path) => ({
          url: ORIGIN + path,
          navigate: async (page: string) => {
            calls.push(`${path} to ${page.slice(ORIGIN.length)}`);
            return { focus: async () => undefined };
          },
        })),
      openWindow: async (page: string) => void calls.push(`open ${page.slice(ORIGIN.length)}`),
    },
  });
  // A plain import needs the types of a worker, which tests do not have.
  await vi.importActual('./worker.ts');
});

test('PUSH-42: an unreadable message has the name of this installation, and our own icons', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return Response.json({ name: 'Hoops & Co.' });
  });
  await send('push', { data: { json: () => ({ notification: { title: 'It works' } }) } });
  expect(asked).toEqual([]);
  await send('push', { data: null });
  expect(asked).toEqual([MANIFEST]);
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await send('push', { data: null });
  expect(shown.map(({ title }) => title)).toEqual(['It works', 'Hoops & Co.', 'Backboard']);
  for (const { icon, badge } of shown)
    expect([icon, badge]).toEqual(['/icon-192.png', '/badge-96.png']);
});

test.each([
  [['/console/inbox', '/dev/court', '/league'], '/league to /games'],
  [['/console/inbox', '/dev/court', '/screen/1'], 'open /games'],
  [[], 'open /games'],
])('PUSH-42: with %j open, a tap does: %s', async (pages, done) => {
  open = pages;
  const notification = { data: `${ORIGIN}/games`, close: () => undefined };
  await send('notificationclick', { notification });
  expect(calls).toEqual([done]);
});
