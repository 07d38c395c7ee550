import type { Journal, Slice } from '#sandbox/journal.ts';
import { SandboxError } from '#sandbox/http/route.ts';

/** An integration application registered by a platform administrator. */
export interface Application {
  appId: string;
  installBaseUrl: string;
  supportedEvents: string[];
}

export interface EmbedSlot {
  slot: string;
  endpointUrl: string;
  params?: unknown;
}

export interface LifecycleCall {
  call: 'install' | 'update' | 'rotate-secret' | 'uninstall';
  at: string;
  /** Null if there was no response. */
  status: number | null;
  detail: string;
}

/** One tenant's installation of an application. */
export interface Integration {
  tenantIntegrationId: string;
  platformTenantId: string;
  appId: string;
  secret: string;
  /** Sent in a rotation that has not been confirmed. */
  nextSecret?: string;
  previous?: { secret: string; until: string };
  status: 'PENDING' | 'ACTIVE' | 'UNINSTALLED';
  /** The install call still has to be made or retried until there is a response. */
  installing: boolean;
  webhookUrl?: string;
  externalTenantId?: string;
  createdAt: string;
  rotatedAt?: string;
  slots: EmbedSlot[];
  lastCall?: LifecycleCall;
}

type Entry = { kind: 'app'; app: Application } | { kind: 'integration'; integration: Integration };

/** Registered applications and tenant integrations, each stored in full at every change. */
export function createIntegrations(journal: Journal) {
  const apps = new Map<string, Application>();
  const integrations = new Map<string, Integration>();

  const slice: Slice<Entry> = {
    apply(entry) {
      if (entry.kind === 'app') apps.set(entry.app.appId, entry.app);
      else integrations.set(entry.integration.tenantIntegrationId, entry.integration);
    },
    *dump() {
      for (const app of apps.values()) yield { kind: 'app', app };
      for (const integration of integrations.values()) yield { kind: 'integration', integration };
    },
  };
  const record = journal.register('integrations', slice);

  function get(tenantIntegrationId: string): Integration {
    const integration = integrations.get(tenantIntegrationId);
    if (!integration) throw new SandboxError(404, 'not_found', `there is no tenant integration ${tenantIntegrationId}`);
    return integration;
  }

  return {
    register: (app: Application) => record({ kind: 'app', app }),
    app: (appId: string) => apps.get(appId),
    apps: () => [...apps.values()],
    list: () => [...integrations.values()],
    find: (tenantIntegrationId: string) => integrations.get(tenantIntegrationId),
    get,
    put: (integration: Integration) => record({ kind: 'integration', integration }),
    /** Changes some fields of an integration; a field given as undefined is removed. */
    change(
      tenantIntegrationId: string,
      changes: { [Key in keyof Integration]?: Integration[Key] | undefined },
    ): Integration {
      const changed = { ...get(tenantIntegrationId), ...changes } as Integration;
      record({ kind: 'integration', integration: changed });
      return changed;
    },
    /** The tenant's integration that receives its events: the ACTIVE one. */
    activeOf: (platformTenantId: string) =>
      [...integrations.values()].find(
        (one) => one.platformTenantId === platformTenantId && one.status === 'ACTIVE' && one.webhookUrl,
      ),
    /** The tenant's newest integration, whatever its status. */
    latestOf: (platformTenantId: string) =>
      [...integrations.values()].findLast((one) => one.platformTenantId === platformTenantId),
  };
}

export type Integrations = ReturnType<typeof createIntegrations>;

/** The secrets with which the application may currently sign: current, announced, and the previous one. */
export function acceptedSecrets(integration: Integration, now = Date.now()): string[] {
  const { secret, nextSecret, previous } = integration;
  return [
    secret,
    ...(nextSecret ? [nextSecret] : []),
    ...(previous && Date.parse(previous.until) > now ? [previous.secret] : []),
  ];
}
