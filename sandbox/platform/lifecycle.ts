import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createNonce } from '../../domain/signature.ts';
import { Refusal } from '../http/route.ts';
import { createId } from '../random.ts';
import type { Integration, Integrations, LifecycleCall } from './integrations.ts';
import type { Outbound, Outcome } from './outbound.ts';
import type { Tenants } from './tenants.ts';

export interface LifecycleDeps {
  integrations: Integrations;
  tenants: Tenants;
  outbound: Outbound;
  appSecret: string;
}

export interface LifecycleResult {
  /** Null where no answer came. */
  status: number | null;
  answer: unknown;
  integration: Integration;
}

const INSTALL_GIVES_UP_AFTER_MS = 600_000;
const LONGEST_WAIT_MS = 5000;
const DEFAULT_GRACE_SECONDS = 86_400;

export const createSecret = (): string => randomBytes(32).toString('base64url');

/** Installs, updates, rotates and uninstalls tenant integrations by calls to the application. */
export function createLifecycle(deps: LifecycleDeps) {
  const { integrations, tenants, outbound } = deps;
  const installing = new Map<string, Promise<LifecycleResult>>();
  const stopping = new AbortController();

  async function call(
    integration: Integration,
    name: LifecycleCall['call'],
    body: Record<string, unknown>,
    { nonce = createNonce() } = {},
  ): Promise<Outcome> {
    const app = integrations.app(integration.appId);
    if (!app) throw new Refusal(409, 'conflict', `the application ${integration.appId} is not registered`);
    const outcome = await outbound.send({
      route: name,
      url: `${app.installBaseUrl}/${name}`,
      tenantIntegrationId: integration.tenantIntegrationId,
      secret: integration.secret,
      appSecret: deps.appSecret,
      nonce,
      body: JSON.stringify(body),
    });
    if (stopping.signal.aborted) return outcome;
    integrations.change(integration.tenantIntegrationId, {
      lastCall: {
        call: name,
        at: new Date().toISOString(),
        status: outcome.answered ? outcome.status : null,
        detail: (outcome.answered ? withoutSecrets(outcome.body) : outcome.reason).slice(0, 500),
      },
    });
    return outcome;
  }

  function result(tenantIntegrationId: string, outcome: Outcome): LifecycleResult {
    const integration = integrations.get(tenantIntegrationId);
    return outcome.answered
      ? { status: outcome.status, answer: parsed(outcome.body), integration }
      : { status: null, answer: outcome.reason, integration };
  }

  async function installUntilAnswered(tenantIntegrationId: string): Promise<LifecycleResult> {
    const began = Date.now();
    let nonce = createNonce();
    for (let attempt = 1; ; attempt += 1) {
      const integration = integrations.get(tenantIntegrationId);
      const outcome = await call(integration, 'install', installBody(tenants, integration), { nonce });
      if (stopping.signal.aborted) return result(tenantIntegrationId, outcome);
      const again = !outcome.answered || outcome.status >= 500 || outcome.status === 429;
      if (!again || Date.now() - began > INSTALL_GIVES_UP_AFTER_MS) {
        settleInstall(tenantIntegrationId, outcome);
        return result(tenantIntegrationId, outcome);
      }
      if (outcome.answered) nonce = createNonce();
      await pause(Math.min(LONGEST_WAIT_MS, 200 * 2 ** attempt), undefined, { signal: stopping.signal }).catch(
        () => {},
      );
    }
  }

  function settleInstall(tenantIntegrationId: string, outcome: Outcome): void {
    const answer = outcome.answered && outcome.status === 200 ? parsed(outcome.body) : undefined;
    const { webhookUrl, externalTenantId, installStatus } = (answer ?? {}) as Record<string, unknown>;
    const active = installStatus === 'ACTIVE' && typeof webhookUrl === 'string' && typeof externalTenantId === 'string';
    integrations.change(tenantIntegrationId, {
      installing: false,
      ...(active ? { status: 'ACTIVE', webhookUrl, externalTenantId } : {}),
    });
  }

  function assertInstalled(tenantIntegrationId: string): Integration {
    const integration = integrations.get(tenantIntegrationId);
    if (integration.status === 'ACTIVE') return integration;
    throw new Refusal(409, 'not_active', `the tenant integration is ${integration.status}`);
  }

  return {
    /** A PENDING tenant integration with an id and a secret of its own (or those given). */
    create(
      platformTenantId: string,
      appId: string,
      given: { tenantIntegrationId?: string | undefined; secret?: string | undefined } = {},
    ) {
      tenants.get(platformTenantId);
      if (!integrations.app(appId)) throw new Refusal(404, 'not_found', `the application ${appId} is not registered`);
      const integration: Integration = {
        tenantIntegrationId: given.tenantIntegrationId ?? createId('ti'),
        platformTenantId,
        appId,
        secret: given.secret ?? createSecret(),
        status: 'PENDING',
        installing: false,
        createdAt: new Date().toISOString(),
        slots: [],
      };
      integrations.put(integration);
      return integration;
    },

    /** Makes the install call, again and again while it is not answered or answered 5xx, for ten minutes. */
    install(tenantIntegrationId: string): Promise<LifecycleResult> {
      const running = installing.get(tenantIntegrationId);
      if (running) return running;
      integrations.change(tenantIntegrationId, { installing: true });
      const started = installUntilAnswered(tenantIntegrationId).finally(() => installing.delete(tenantIntegrationId));
      installing.set(tenantIntegrationId, started);
      return started;
    },

    async update(tenantIntegrationId: string): Promise<LifecycleResult> {
      const integration = assertInstalled(tenantIntegrationId);
      const { tenant, serviceNumbers } = installBody(tenants, integration);
      return result(
        tenantIntegrationId,
        await call(integration, 'update', { tenantIntegrationId, tenant, serviceNumbers }),
      );
    },

    /** Announces a new secret; it counts here once the application has answered 200. A repetition sends the same one. */
    async rotate(tenantIntegrationId: string, graceSeconds?: number, newSecret?: string): Promise<LifecycleResult> {
      const integration = assertInstalled(tenantIntegrationId);
      const next = newSecret ?? integration.nextSecret ?? createSecret();
      integrations.change(tenantIntegrationId, { nextSecret: next });
      const outcome = await call(integration, 'rotate-secret', {
        tenantIntegrationId,
        newSecret: next,
        ...(graceSeconds === undefined ? {} : { graceSeconds }),
      });
      if (outcome.answered && outcome.status === 200) {
        const until = new Date(Date.now() + (graceSeconds ?? DEFAULT_GRACE_SECONDS) * 1000).toISOString();
        integrations.change(tenantIntegrationId, {
          secret: next,
          nextSecret: undefined,
          previous: { secret: integration.secret, until },
          rotatedAt: new Date().toISOString(),
        });
      }
      return result(tenantIntegrationId, outcome);
    },

    async uninstall(tenantIntegrationId: string, reason?: string): Promise<LifecycleResult> {
      const integration = integrations.get(tenantIntegrationId);
      const outcome = await call(integration, 'uninstall', { tenantIntegrationId, ...(reason ? { reason } : {}) });
      if (outcome.answered && outcome.status === 200) {
        integrations.change(tenantIntegrationId, { status: 'UNINSTALLED' });
      }
      return result(tenantIntegrationId, outcome);
    },

    /** Goes on with installations that an earlier process left unanswered. */
    resume(): void {
      for (const { tenantIntegrationId, installing } of integrations.list()) {
        if (installing) void this.install(tenantIntegrationId);
      }
    },
    stop: () => stopping.abort(),
  };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

function installBody(tenants: Tenants, integration: Integration) {
  const { name, type, serviceNumbers } = tenants.get(integration.platformTenantId);
  return {
    appId: integration.appId,
    platformTenantId: integration.platformTenantId,
    tenantIntegrationId: integration.tenantIntegrationId,
    tenantIntegrationSecret: integration.secret,
    tenant: { name, type },
    serviceNumbers,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const withoutSecrets = (text: string): string =>
  text.replaceAll(/"[^"]*[sS]ecret[^"]*"\s*:\s*"[^"]*"/g, '"secret":"…"');
