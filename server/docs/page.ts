import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { tooMany } from '../errors.ts';
import { sessionBuckets } from '../http/buckets.ts';
import { type Compressed, compress, sendCompressed } from '../http/compressed.ts';
import { type Html, html } from '../http/html.ts';
import { networkOf } from '../http/limits.ts';
import type { App } from '../http/scope.ts';
import { ERRORS, shareRefusals } from './openapi.ts';
import { exampleOf, type Field, fieldsOf, ruleOf, type Schema } from './schema.ts';

type Body = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: Body;
  responses: Record<string, Body>;
};
type Api = { info: { title: string }; paths: Record<string, Record<string, Operation>> };
type Call = { id: string; method: string; path: string; operation: Operation };

/** Callers by kind of key (MACH-01, OPS-01). */
const CALLERS = [
  {
    id: 'players',
    title: 'Players',
    about: 'What the web app calls. Calls marked “signed in” need the access token of a session.',
    key: 'Authorization: Bearer <access token>',
    mark: 'Signed in.',
    owns: () => true,
  },
  {
    id: 'machines',
    title: 'Machines',
    about:
      'What an arcade machine calls, with its machine key. 401 and 403 mean stop and tell the operator; 429 and 5xx mean keep and try again.',
    key: 'Authorization: Bearer <machine key>',
    mark: null,
    owns: (path: string) => path.startsWith('/api/machine/'),
  },
  {
    id: 'operator',
    title: 'Operator',
    about:
      'What the command line calls, with the operator key. The console calls it too, with the session of a member of staff, as far as their role allows.',
    key: 'Authorization: Bearer <operator key>',
    mark: null,
    owns: (path: string) => path.startsWith('/api/operator/'),
  },
  {
    id: 'staff',
    title: 'Staff',
    about:
      'What the console calls for sign-in and for the own account. Calls marked “signed in” need the cookie of its session.',
    key: 'Cookie: <session cookie>',
    mark: 'Signed in.',
    owns: (path: string) => path.startsWith('/api/console/'),
  },
  {
    id: 'screens',
    title: 'Screens',
    about:
      'What the page of a television calls. Calls marked “paired” need the token of the screen.',
    key: 'Authorization: Bearer <screen token>',
    mark: 'Paired.',
    owns: (path: string) => path.startsWith('/api/screen/'),
  },
  {
    id: 'health',
    title: 'Health',
    about: 'For monitoring.',
    key: null,
    mark: null,
    owns: (path: string) => path.startsWith('/health/'),
  },
] as const;
type Caller = (typeof CALLERS)[number];

const callerOf = (path: string): Caller => CALLERS.findLast(({ owns }) => owns(path)) ?? CALLERS[0];

const jsonOf = (body: Body | undefined) => body?.content?.['application/json']?.schema;
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

function calls(api: Api): Call[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: `${method}${path}`.replace(/[^\w]+/g, '-').replace(/-$/, ''),
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
}

function table(caption: string, fields: Field[]): Html | null {
  if (fields.length === 0) return null;
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">Field</th><th scope="col">Must be there</th><th scope="col">What it is</th></tr></thead><tbody>${fields.map(
    ({ name, required, rule }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${required ? 'yes' : 'no'}</td><td>${rule}</td></tr>`,
  )}</tbody></table>`;
}

function command(site: string, { method, path, operation }: Call, key: string | null): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const own = operation.parameters?.find((one) => one.name === name);
    return String(exampleOf(own?.schema ?? {}, name));
  });
  const payload = jsonOf(operation.requestBody);
  const quoted = (payload && pretty(exampleOf(payload)))?.replaceAll("'", "'\\''");
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${site}${filled}'`,
    ...(key === null ? [] : [`-H '${key}'`]),
    ...(quoted === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${quoted}'`]),
  ].join(' \\\n  ');
}

function answer(status: string, body: Body): Html {
  const [type] = Object.keys(body.content ?? {});
  const schema = jsonOf(body);
  if (schema === undefined || status === '204')
    return html`<h4>Answer ${status}</h4><p>${schema || type === undefined ? 'Without a body.' : type}</p>`;
  return html`<h4>Answer ${status}</h4><pre>${pretty(exampleOf(schema))}</pre><details><summary>Fields of the answer</summary>${table('Answer', fieldsOf(schema))}</details>`;
}

function section(site: string, call: Call, caller: Caller): Html {
  const { id, method, path, operation } = call;
  const signedIn = (operation.security ?? []).length > 0;
  const payload = jsonOf(operation.requestBody);
  const [otherType] = Object.keys(operation.requestBody?.content ?? {});
  const parameters = (operation.parameters ?? []).map(({ name, schema, required = false }) => ({
    name,
    required,
    rule: ruleOf(schema),
  }));
  const statuses = Object.keys(operation.responses);
  const good = statuses.filter((status) => status.startsWith('2'));
  return html`<section id="${id}">
<h3><span class="method">${method}</span> <code>${path}</code></h3>
<p>${operation.summary ?? null}${signedIn && caller.mark !== null ? html` <em>${caller.mark}</em>` : null}</p>
${table('Parameters', parameters)}
${payload ? table('Payload', fieldsOf(payload)) : otherType === undefined ? null : html`<p>Payload: ${otherType}</p>`}
<pre>${command(site, call, signedIn ? caller.key : null)}</pre>
${good.map((status) => answer(status, operation.responses[status] ?? {}))}
<p class="errors">Errors: ${statuses
    .filter((status) => !status.startsWith('2'))
    .map((status) => html`<a href="#error-${status}">${status}</a> `)}</p>
</section>`;
}

function page(api: Api, site: string): string {
  const all = calls(api);
  const groups = CALLERS.map((caller) => ({
    caller,
    own: all.filter(({ path }) => callerOf(path) === caller),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${api.info.title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs/docs.css">
</head>
<body>
<header><h1>${api.info.title}</h1><p>Made from <a href="/api/openapi.json">/api/openapi.json</a>, which is made from the code.</p></header>
<nav aria-label="Calls">${groups.map(
    ({ caller, own }) =>
      html`<h2><a href="#${caller.id}">${caller.title}</a></h2><ul>${own.map(
        ({ id, method, path }) =>
          html`<li><a href="#${id}"><span class="method">${method}</span> ${path}</a></li>`,
      )}</ul>`,
  )}<h2><a href="#errors">Errors</a></h2></nav>
<main>
<section><h2>For every call</h2>
<p>The address is <code>${site}</code>. Bodies and answers are JSON, times are ISO 8601 in UTC, and every path ends with a slash; a path without it is answered 308. Keys and tokens go into <code>Authorization: Bearer …</code>. Lists may gain fields; ignore those that you do not know.</p></section>
${groups.map(
  ({ caller, own }) =>
    html`<section id="${caller.id}"><h2>${caller.title}</h2><p>${caller.about}</p></section>${own.map((call) => section(site, call, caller))}`,
)}
<section id="errors"><h2>Errors</h2>
<p>An error’s body has one of three shapes, and the callbacks of providers a fourth:</p>
<pre>${['{"detail": "…"}', '{"non_field_errors": ["…"]}', '{"<field>": ["…"]}', '{"error": "…"}'].join('\n')}</pre>
<dl>${Object.entries(ERRORS).map(([status, text]) => html`<dt id="error-${status}">${status}</dt><dd>${text}</dd>`)}</dl>
</section>
</main>
</body>
</html>
`.markup;
}

/** /api/openapi.json, and /api/docs, a page without scripts (P32). */
export function docsRoutes(app: App, { config }: Pick<Deps, 'config'>): void {
  let written: Compressed | undefined;
  let described: Compressed | undefined;
  const spend = sessionBuckets();
  const options = {
    schema: { hide: true },
    // The largest answers without sign-in are limited per network (P39a).
    onRequest: async ({ ip }: FastifyRequest) => {
      const wait_s = spend(networkOf(ip), true);
      if (wait_s > 0) throw tooMany(wait_s, 'network');
    },
  };

  app.get('/api/openapi.json', options, async (request, reply) => {
    described ??= compress(
      JSON.stringify(shareRefusals(app.swagger() as Parameters<typeof shareRefusals>[0])),
      { br: false },
    );
    return sendCompressed(request, reply, described, 'application/json; charset=utf-8');
  });

  for (const path of ['/api/docs', '/api/docs/'])
    app.get(path, options, async (request, reply) => {
      written ??= compress(page(app.swagger() as unknown as Api, config.public_url), { br: false });
      return sendCompressed(request, reply, written, 'text/html; charset=utf-8');
    });

  app.get('/api/docs/docs.css', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .send(await readFile(join(import.meta.dirname, 'page.css'))),
  );
}
