/**
 * A bare Fastify server without a database, as an upper limit to compare our server with.
 * `/profile` checks an HS256 token and returns the JSON of PROFILE. `/plain` returns this JSON
 * without checking a token.
 */

import { createVerifier } from 'fast-jwt';
import Fastify from 'fastify';

const { PORT, SECRET = '', PROFILE = '{}' } = process.env;
const profile = JSON.parse(PROFILE);
const verify = createVerifier({ key: SECRET, algorithms: ['HS256'] });

const app = Fastify();
app.get('/plain', async () => profile);
app.get('/profile', async (request, reply) => {
  try {
    verify((request.headers.authorization ?? '').slice('Bearer '.length));
  } catch {
    return reply.code(401).send({ detail: 'Sign in again.' });
  }
  return profile;
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
