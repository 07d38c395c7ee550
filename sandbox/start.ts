import { createServer as createHttpServer } from 'node:http';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { backlog, keepAliveMs } from '../api/http/incoming/connections.ts';
import { createHealth } from '../api/http/health.ts';
import { createDurations, httpDurations } from '../api/http/metrics.ts';
import { localAddress, type SecretName, type Settings, SettingsError } from '../domain/settings/settings.ts';
import { createServer } from './http/server.ts';
import { loadKeys } from './identity/keys.ts';
import { createIdentity } from './identity/mount.ts';
import { createProvider } from './identity/provider.ts';
import { createTokens } from './identity/tokens.ts';
import { composeRoutes } from './routes.ts';
import { createState, resumeState, stopState } from './state.ts';

const IDENTITY_PATH = '/identity';

export interface Sandbox {
  url: string;
  /** Ends every connection and timer; undelivered events are sent after the next start. */
  stop(): Promise<void>;
}

async function createHandler(settings: Settings<SecretName>, directory: string) {
  const log = pino({ level: settings.LOG_LEVEL, name: 'sandbox' });
  const keys = await loadKeys(directory);
  const mint = createTokens(keys, settings.IDENTITY_ISSUER, settings.IDENTITY_CLIENT_ID);
  const state = createState(settings, directory);
  const provider = createProvider({
    issuer: settings.IDENTITY_ISSUER,
    clientId: settings.IDENTITY_CLIENT_ID,
    clientSecret: settings.IDENTITY_CLIENT_SECRET,
    applicationUrl: settings.PUBLIC_BFF_URL,
    mountPath: IDENTITY_PATH,
    keys,
    people: state.people,
  });
  // It is ready as soon as it responds: the journal is open before the first request is read.
  const health = createHealth({});
  const durations = httpDurations(createDurations(health.registry));
  provider.use(durations);
  provider.on('backchannel.error', (_ctx, error) =>
    log.warn({ err: error }, 'the application did not take a logout token'),
  );
  const tenantName = (id: string) => state.tenants.find(id)?.name ?? id;
  const identity = createIdentity({ ...state, provider, mountPath: IDENTITY_PATH, tenantName });
  const app = createServer({
    ...state,
    routes: composeRoutes(state, settings, mint),
    log,
    health,
    durations,
    metricsHost: settings.METRICS_HOST,
  });
  const serveRoutes = app.callback();
  const server = createHttpServer((request, response) => {
    identity(request, response)
      .then((answered) => (answered ? undefined : serveRoutes(request, response)))
      .catch((error: unknown) => {
        log.error({ error }, 'internal error of the sandbox');
        response.destroy();
      });
  });
  return { server, state };
}

function listen(server: Server, { SANDBOX_PORT, HOST }: Settings, ready: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.keepAliveTimeout = keepAliveMs;
    server.listen({ port: SANDBOX_PORT, host: HOST, backlog }, () => {
      try {
        ready();
        resolve();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

/**
 * Starts the platform, its identity service and the payment gateway on HOST:SANDBOX_PORT, with the state in
 * DATA_DIR.
 * @throws SettingsError in production, where anybody could have any role by it
 * @throws Error if the port is taken or the state cannot be read
 */
export async function startSandbox(settings: Settings<SecretName>): Promise<Sandbox> {
  if (settings.NODE_ENV === 'production') throw new SettingsError('NODE_ENV=production has no sandbox');
  const { server, state } = await createHandler(settings, join(settings.DATA_DIR, 'sandbox'));
  // The port guards the journal: only the process that holds the port opens it, before the first request is read.
  await listen(server, settings, () => resumeState(state, settings));
  return {
    url: localAddress(settings.HOST, settings.SANDBOX_PORT),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, stopState(state)]);
    },
  };
}
