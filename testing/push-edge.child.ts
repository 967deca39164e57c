import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { everyNameHere, PUSH_CA } from './push-service.ts';

/** Loaded before a test's server. Directs its pushes to the test's push service at PUSH_PORT. */
const { request } = https;
const edge = { lookup: everyNameHere, ca: PUSH_CA, port: Number(process.env.PUSH_PORT) };
https.request = ((options: https.RequestOptions, done?: Parameters<typeof request>[2]) =>
  request(
    options.servername === undefined ? options : { ...options, ...edge },
    done as never,
  )) as typeof request;
syncBuiltinESMExports();
