import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

async function check(env: Record<string, string>): Promise<number> {
  const image = await readFile(join(ROOT, 'Containerfile'), 'utf8');
  const [, list = ''] = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(image) ?? [];
  const [program, ...args]: string[] = JSON.parse(list);
  expect(program).toBe('/app/node_modules/.bin/node');
  const child = spawn(process.execPath, args, { cwd: ROOT, env });
  const [code] = await once(child, 'exit');
  return code;
}

test('P40: the health check of the image asks the port in PORT whether the server is ready', async () => {
  let status = 200;
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  try {
    expect(await check({ PORT })).toBe(0);
    status = 503;
    expect(await check({ PORT })).toBe(1);
    expect(asked).toEqual(['/health/ready', '/health/ready']);
  } finally {
    server.close();
  }
  expect(await check({ PORT })).toBe(1);
});
