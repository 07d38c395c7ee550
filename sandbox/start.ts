import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Settings } from '../domain/settings.ts';
import { createFaults } from './faults.ts';
import { createCallLog } from './http/calls.ts';
import { ok } from './http/route.ts';
import type { Route } from './http/route.ts';
import { createServer } from './http/server.ts';
import { createIdentity } from './identity/mount.ts';
import { createProvider } from './identity/provider.ts';
import { loadKeys } from './identity/keys.ts';
import { createPeople, demonstrationTenants } from './identity/people.ts';
import { identityControlRoutes } from './identity/routes.ts';
import { createTokens } from './identity/tokens.ts';
import { createCallbacks } from './payment-gateway/callbacks.ts';
import { createCharges } from './payment-gateway/charges.ts';
import { paymentControlRoutes } from './payment-gateway/control-routes.ts';
import { gatewayRoutes } from './payment-gateway/gateway.ts';
import { paymentPages } from './payment-gateway/pages.ts';
import { createJournal } from './journal.ts';
import { adminPages } from './pages/admin.ts';
import { assetRoutes } from './pages/assets.ts';
import { hostPages } from './pages/host.ts';
import { overviewPages } from './pages/overview.ts';
import { phonePages } from './pages/phone.ts';
import { adminRoutes } from './platform/admin-routes.ts';
import { createBehaviour } from './platform/behaviour.ts';
import { broadcastRoutes, createTaskClock } from './platform/broadcasts.ts';
import { clickRoutes } from './platform/click-routes.ts';
import { createClicks } from './platform/clicks.ts';
import { createContactEvents } from './platform/contact-events.ts';
import { contactRoutes } from './platform/contact-routes.ts';
import { createContacts } from './platform/contacts.ts';
import { controlRoutes } from './platform/control-routes.ts';
import { embedRoutes } from './platform/embed.ts';
import { createEntrySources, entrySourceRoutes } from './platform/entry-sources.ts';
import { createIntegrations } from './platform/integrations.ts';
import { labelRoutes } from './platform/labels.ts';
import { createLifecycle } from './platform/lifecycle.ts';
import { createNonces } from './platform/nonces.ts';
import { createOutbound } from './platform/outbound.ts';
import { createTasks } from './platform/tasks.ts';
import { createTenants } from './platform/tenants.ts';
import { createWebhooks } from './platform/webhooks.ts';

const IDENTITY_PATH = '/identity';

export interface Sandbox {
  url: string;
  /** Ends every connection and timer; what was not delivered goes on at the next start. */
  stop(): Promise<void>;
}

/** Everything that the sandbox remembers, replayed from its journal. */
function createState(settings: Settings, directory: string) {
  const journal = createJournal(directory);
  const faults = createFaults();
  const outbound = createOutbound(faults);
  const calls = createCallLog(journal);
  const tenants = createTenants(journal);
  const contacts = createContacts(journal);
  const integrations = createIntegrations(journal);
  const nonces = createNonces(journal);
  const behaviour = createBehaviour(journal, settings.PLATFORM_A1_IDEMPOTENT);
  const sources = createEntrySources(journal);
  const tasks = createTasks(journal);
  const webhooks = createWebhooks(journal, integrations, outbound);
  const contactEvents = createContactEvents(journal, contacts, webhooks);
  const clicks = createClicks(journal, { tasks, sources, integrations, webhooks });
  const people = createPeople(journal, `${settings.PUBLIC_BFF_URL}/api/v1/auth/callback`);
  const lifecycle = createLifecycle({ integrations, tenants, outbound, appSecret: settings.PLATFORM_APP_SECRET });
  const clock = createTaskClock({ tasks, behaviour, contacts });
  const charges = createCharges(journal);
  const callbacks = createCallbacks(journal, settings.PAYMENT_GATEWAY_WEBHOOK_SECRET, faults);
  return {
    charges,
    callbacks,
    journal,
    faults,
    outbound,
    calls,
    tenants,
    contacts,
    integrations,
    nonces,
    behaviour,
    sources,
    tasks,
    webhooks,
    contactEvents,
    clicks,
    people,
    lifecycle,
    clock,
  };
}

type State = ReturnType<typeof createState>;

function healthRoutes(): Route[] {
  return ['/healthz', '/readyz'].map((path) => ({
    code: 'control',
    method: 'GET',
    path,
    handle: () => ok({ status: 'ok' }),
  }));
}

function resume(state: State, settings: Settings): void {
  state.journal.open();
  if (settings.DEMO && state.tenants.list().length === 0) {
    for (const tenant of demonstrationTenants) state.tenants.record(tenant);
  }
  state.webhooks.start();
  state.contactEvents.resume();
  state.clock.resume();
  state.lifecycle.resume();
  state.callbacks.resume();
}

/**
 * Starts the platform, its identity service and the payment gateway on HOST:SANDBOX_PORT, with the state of DATA_DIR.
 * @throws Error where the port is taken or the state cannot be read
 */
export async function startSandbox(settings: Settings): Promise<Sandbox> {
  const directory = join(settings.DATA_DIR, 'sandbox');
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
  resume(state, settings);
  const applicationUrl = settings.PUBLIC_BFF_URL;
  const routes = [
    ...healthRoutes(),
    ...broadcastRoutes(state),
    ...labelRoutes(state),
    ...entrySourceRoutes(state),
    ...embedRoutes(state),
    ...clickRoutes(state),
    ...adminRoutes({ ...state, defaultAppId: settings.PLATFORM_APP_ID, appSecret: settings.PLATFORM_APP_SECRET }),
    ...contactRoutes(state),
    ...controlRoutes(state),
    ...identityControlRoutes({ ...state, mint }),
    ...gatewayRoutes({ ...state, apiKey: settings.PAYMENT_GATEWAY_KEY, baseUrl: settings.PAYMENT_GATEWAY_BASE_URL }),
    ...paymentControlRoutes(state),
    ...paymentPages(state),
    ...assetRoutes(),
    ...overviewPages({ ...state, applicationUrl }),
    ...phonePages(state),
    ...adminPages({ ...state, defaultAppId: settings.PLATFORM_APP_ID, defaultInstallBaseUrl: applicationUrl }),
    ...hostPages({ ...state, mint, applicationUrl }),
  ];
  const app = createServer({ routes, faults: state.faults, calls: state.calls, log });
  const identity = createIdentity({
    ...state,
    provider,
    mountPath: IDENTITY_PATH,
    tenantName: (id) => state.tenants.find(id)?.name ?? id,
  });
  const serveRoutes = app.callback();
  const server = createHttpServer((request, response) => {
    identity(request, response)
      .then((answered) => (answered ? undefined : serveRoutes(request, response)))
      .catch((error: unknown) => {
        log.error({ error }, 'a defect of the sandbox');
        response.destroy();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.SANDBOX_PORT, settings.HOST, resolve);
  });
  return {
    url: `http://${settings.HOST === '0.0.0.0' ? '127.0.0.1' : settings.HOST}:${settings.SANDBOX_PORT}`,
    async stop() {
      state.webhooks.stop();
      state.lifecycle.stop();
      state.clock.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, state.outbound.stop(), state.callbacks.stop()]);
      state.journal.close();
    },
  };
}
