import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlayer } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { operationId } from './openapi.ts';

const PASSWORD = 'quiet orange kite';
const ROOT = join(import.meta.dirname, '../..');
/** This folder is in the project, so that the generated client can import packages. */
const FOLDER = join(ROOT, '.cache', `api-client-${process.pid}`);

const t = withApp();
type Operation = {
  operationId: string;
  tags: string[];
  requestBody?: { content: Record<string, object> };
  responses: Record<string, object>;
};
let description: {
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, object> };
};
beforeAll(async () => {
  description = (await t.call('GET', '/api/openapi.json')).body;
  await mkdir(FOLDER, { recursive: true });
});
afterAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
});

test('docs/openapi.json is up to date (to update it: npx vitest run server/docs -u)', async () => {
  const file = { ...description, servers: [{ url: 'https://play.example' }] };
  await expect(`${JSON.stringify(file, null, 1)}\n`).toMatchFileSnapshot(
    join(ROOT, 'docs/openapi.json'),
  );
});

test('the linter has no objection', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // Our paths end with a slash (API-01).
      'no-path-trailing-slash': 'off',
      'no-server-example.com': 'off',
    },
  });
  const problems = await lintFromString({
    source: JSON.stringify(description),
    absoluteRef: 'openapi.json',
    config,
  });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('a refusal that several calls share is described once', () => {
  const texts = Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => Number(status) >= 400)
    .map(([status, answer]) => [status, JSON.stringify(answer)] as const);
  const { responses } = description.components;
  const once = Object.values(responses).map((answer) => JSON.stringify(answer));
  expect(texts.filter(([, text]) => once.includes(text))).toEqual([]);
  for (const status of ['400', '401', '403', '404', '409', '429', '503'])
    expect(
      texts.filter(([own, text]) => own === status && text.includes('$ref')).length,
    ).toBeGreaterThan(50);
});

test.each([
  ['GET', '/api/config/', 'getConfig'],
  ['POST', '/api/users/auth/check-email/', 'postUsersAuthCheckEmail'],
  ['GET', '/api/users/profile/games/:id/', 'getUsersProfileGamesById'],
  ['DELETE', '/api/users/profile/games/{id}/report/', 'deleteUsersProfileGamesByIdReport'],
])('the operation id of %s %s is %s', (method, path, id) => {
  expect(operationId(method, path)).toBe(id);
});

test('every call has an operation id, a tag that is described, and an example of its body', () => {
  const { tags, paths } = description;
  const known = tags.map(({ name }) => name);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations.length).toBeGreaterThan(50);
  for (const { operationId: id, tags: own, requestBody } of operations) {
    expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(known, id).toEqual(expect.arrayContaining(own));
    expect(own, id).toHaveLength(1);
    const json = requestBody?.content['application/json'];
    if (json) expect(json, id).toHaveProperty('example');
  }
});

test('a client that is generated from the description compiles, and signs in', async () => {
  const source = join(FOLDER, 'openapi.json');
  const client = join(FOLDER, 'client.ts');
  await writeFile(source, JSON.stringify(description));
  await writeFile(client, await generateSource(source));
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      ...'--noEmit --ignoreConfig --strict --skipLibCheck --target es2024'.split(' '),
      ...'--module nodenext --lib es2024,dom,dom.iterable'.split(' '),
      client,
    ],
    { cwd: FOLDER },
  ).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(''));

  const api = await import(pathToFileURL(client).href);
  api.defaults.baseUrl = await t.app.listen({ host: '127.0.0.1', port: 0 });
  const { email } = await makePlayer(t, { password_hash: await hashPassword(PASSWORD) });
  const signedIn = await api.postUsersAuthLogin({ email, password: PASSWORD });
  expect(signedIn.status).toBe(200);
  const headers = { authorization: `Bearer ${signedIn.data.access}` };
  const { data } = await api.getUsersProfile({ headers });
  expect(data.email).toBe(email);
});
