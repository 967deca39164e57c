import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import Fastify, { LogController } from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { authenticate } from './accounts/authenticate.ts';
import { providerSignIn } from './accounts/openid.ts';
import { accountRoutes, ownAccountRoutes, tokenRoutes } from './accounts/routes.ts';
import { openAmong } from './accounts/sessions.ts';
import { achievementRoutes } from './achievements/routes.ts';
import { contestPageRoute } from './contests/routes.ts';
import { courtRoutes } from './court/routes.ts';
import { cupRoutes, runningRoute } from './cups/routes.ts';
import { openListener } from './db/listener.ts';
import type { Deps } from './deps.ts';
import { describeApi } from './docs/openapi.ts';
import { docsRoutes } from './docs/page.ts';
import { duelRoutes } from './duels/routes.ts';
import { handleErrors, unavailable } from './errors.ts';
import { friendRoutes } from './friends/routes.ts';
import { gameRoutes } from './games/routes.ts';
import { closeUnused, limitPipelining } from './http/connections.ts';
import { limitHandlers } from './http/handler-timeout.ts';
import { healthRoutes } from './http/health.ts';
import { metricsRoutes } from './http/metrics.ts';
import { pageRoutes } from './http/pages.ts';
import {
  answerUnknown,
  answerUnreadable,
  guardHost,
  guardRequests,
  readJson,
  refuseAddress,
  setHeaders,
  URL_LIMIT,
} from './http/requests.ts';
import { type App, describeCaller } from './http/scope.ts';
import { logThrottled } from './http/security-log.ts';
import { leaderboardRoutes } from './leaderboards/routes.ts';
import { joinPageRoute, leagueRoutes } from './leagues/routes.ts';
import { openConsoleLive } from './live/console.ts';
import { openLive } from './live/live.ts';
import { liveRoutes } from './live/routes.ts';
import { logRequests, requestId } from './log.ts';
import { machinePairingRoutes, machineRoutes } from './machines/routes.ts';
import { mailboxRoutes } from './mail/mailbox.ts';
import { nudgeRoutes } from './nudges/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { screenPairingRoutes, screenRoutes } from './screens/routes.ts';
import { allowStaff, staffRequirement } from './staff/authenticate.ts';
import { ownStaffRoutes } from './staff/own-routes.ts';
import { openAmongStaff } from './staff/sessions.ts';
import { signInRoutes } from './staff/sign-in-routes.ts';

/** The size limits of requests (P37). */
const BODY_LIMIT = 16 * 1024;
const HEADER_LIMIT = 16 * 1024;
/** The timeouts of requests (P38). */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node checks timeouts; its default is 30 s. */
const TIMEOUTS_CHECKED_MS = 1_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 72_000;
/** A connection without traffic for this long is closed: its client reads no answers. */
const STALLED_MS = 60_000;
/** Beyond any of these, a process sheds requests (P39). */
export const LOAD_MAX = {
  maxEventLoopDelay: 500,
  maxEventLoopUtilization: 0.98,
  maxRssBytes: 1024 ** 3,
};
/** Load is measured over this period, so that startup or one slow request sheds nothing. */
const PRESSURE_SAMPLE_MS = 2_000;
/** A 503 on these paths would make a busy server look dead, or sign players out (P39, API-13). */
const NEVER_SHED = /^\/(health\/|metrics$|api\/users\/auth\/token\/refresh\/)/;

/** The whole app without a port. Each scope serves one kind of caller. */
export async function buildApp(deps: Deps): Promise<App> {
  const app: App = Fastify({
    loggerInstance: deps.log,
    // log.ts writes one line per response; Fastify would write two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: BODY_LIMIT,
    // Each route answers a parameter that is too long as any other unknown one.
    routerOptions: { maxParamLength: URL_LIMIT },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: STALLED_MS,
    http: {
      maxHeaderSize: HEADER_LIMIT,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_MS,
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, deps.config),
    trustProxy: deps.config.trusted_proxies.length > 0 ? deps.config.trusted_proxies : false,
    exposeHeadRoutes: true,
    // During shutdown, requests on open connections are still answered (REL-05).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => refuseAddress(error, request, reply, deps.config),
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  handleErrors(app, logThrottled);
  closeUnused(app);
  limitPipelining(app);
  limitHandlers(app);
  logRequests(app);
  setHeaders(app, deps);
  guardHost(app, deps.config);
  guardRequests(app, deps.config);
  readJson(app);
  answerUnknown(app, deps.config);

  if (deps.shed)
    await app.register(underPressure, {
      ...LOAD_MAX,
      sampleInterval: PRESSURE_SAMPLE_MS,
      // The default, the mean since startup, hardly rises after a quiet hour.
      eventLoopUtilizationMode: 'interval',
      pressureHandler: async (request) => {
        if (!NEVER_SHED.test(request.url)) throw unavailable();
      },
    });
  await app.register(swagger, describeApi(deps.config));

  const anonymous = { ...deps, db: deps.anonymous };
  healthRoutes(app, deps);
  const listener = openListener(deps);
  app.addHook('preClose', () => listener.close());
  const live = openLive(deps, listener, (ids) => openAmong(deps, ids));
  const consoleLive = openConsoleLive(deps, listener, (ids) => openAmongStaff(deps, ids));
  const { countGame } = metricsRoutes(app, { ...deps, live, limits: anonymous });

  const providers = providerSignIn(anonymous);
  // Describe the providers now, so that the first page has their buttons (http/pages.ts).
  app.addHook('onListen', async () => void (await providers.describe()));
  await app.register(async (publicScope: App) => {
    accountRoutes(publicScope, anonymous, providers);
    tokenRoutes(publicScope, deps);
    signInRoutes(publicScope, anonymous);
    screenPairingRoutes(publicScope, anonymous);
    machinePairingRoutes(publicScope, anonymous);
    docsRoutes(publicScope, deps);
    mailboxRoutes(publicScope, deps);
    await courtRoutes(publicScope, deps);
  });
  const authenticated = authenticate(deps);
  // A token is optional, but must be valid.
  await app.register(async (openScope: App) => {
    describeCaller(openScope, 'player', 'visitor');
    openScope.addHook('onRequest', async (request, reply) => {
      if (request.headers.authorization !== undefined) await authenticated.player(request, reply);
    });
    joinPageRoute(openScope, deps);
    contestPageRoute(openScope, deps);
  });
  await app.register(async (userScope: App) => {
    describeCaller(userScope, 'player');
    userScope.addHook('onRequest', authenticated.user);
    profileRoutes(userScope, deps);
    ownAccountRoutes(userScope, deps, providers);
    runningRoute(userScope, deps);
    cupRoutes(userScope, deps);
  });
  await app.register(async (playerScope: App) => {
    describeCaller(playerScope, 'player');
    playerScope.addHook('onRequest', authenticated.player);
    gameRoutes(playerScope, deps);
    leagueRoutes(playerScope, deps);
    leaderboardRoutes(playerScope, deps);
    achievementRoutes(playerScope, deps);
    liveRoutes(playerScope, deps, live);
    pushRoutes(playerScope, deps);
    duelRoutes(playerScope, deps);
    nudgeRoutes(playerScope, deps);
    friendRoutes(playerScope, deps);
  });
  await app.register(async (machineScope: App) => {
    describeCaller(machineScope, 'machine');
    machineRoutes(machineScope, deps, countGame);
  });
  await app.register(async (screenScope: App) => {
    describeCaller(screenScope, 'screen');
    screenRoutes(screenScope, deps, listener);
  });
  const requireStaff = staffRequirement(deps);
  await app.register(async (staffScope: App) => {
    allowStaff(staffScope, requireStaff);
    ownStaffRoutes(staffScope, deps, consoleLive);
  });
  await app.register(async (operatorScope: App) => {
    operatorRoutes(operatorScope, deps, requireStaff);
  });

  await pageRoutes(app, deps.config, providers.known);
  return app;
}
