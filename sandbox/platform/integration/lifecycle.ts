import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createNonce } from '#domain/signature.ts';
import { SandboxError } from '#sandbox/http/route.ts';
import { createId } from '#sandbox/random.ts';
import type { Integration, Integrations, LifecycleCall } from './integrations.ts';
import type { Outbound, Outcome } from '../webhooks/outbound.ts';
import type { Tenants } from './tenants.ts';

export interface LifecycleDeps {
  integrations: Integrations;
  tenants: Tenants;
  outbound: Outbound;
  appSecret: string;
}

type Deps = LifecycleDeps & { stopping: AbortSignal };

export interface LifecycleResult {
  /** Null if there was no response. */
  status: number | null;
  answer: unknown;
  integration: Integration;
}

interface Given {
  tenantIntegrationId?: string | undefined;
  secret?: string | undefined;
}

const INSTALL_GIVES_UP_AFTER_MS = 600_000;
const LONGEST_WAIT_MS = 5000;
const DEFAULT_GRACE_SECONDS = 86_400;

/** Installs, updates, rotates and uninstalls tenant integrations by calling the application. */
export function createLifecycle(given: LifecycleDeps) {
  const abort = new AbortController();
  const deps = { ...given, stopping: abort.signal };
  const installing = new Map<string, Promise<LifecycleResult>>();

  /** Makes the install call, retrying for ten minutes while there is no response or a 5xx. */
  function install(tenantIntegrationId: string): Promise<LifecycleResult> {
    const running = installing.get(tenantIntegrationId);
    if (running) return running;
    deps.integrations.change(tenantIntegrationId, { installing: true });
    const started = installUntilResponse(deps, tenantIntegrationId).finally(() =>
      installing.delete(tenantIntegrationId),
    );
    installing.set(tenantIntegrationId, started);
    return started;
  }

  return {
    install,
    create: (platformTenantId: string, appId: string, ids: Given = {}) => create(deps, platformTenantId, appId, ids),
    update: (tenantIntegrationId: string) => update(deps, tenantIntegrationId),
    rotate: (tenantIntegrationId: string, graceSeconds?: number, newSecret?: string) =>
      rotate(deps, tenantIntegrationId, graceSeconds, newSecret),
    uninstall: (tenantIntegrationId: string, reason?: string) => uninstall(deps, tenantIntegrationId, reason),
    /** Resumes installations that an earlier process left unfinished. */
    resume(): void {
      for (const { tenantIntegrationId, installing } of deps.integrations.list()) {
        if (installing) install(tenantIntegrationId).catch(() => {});
      }
    },
    stop: () => abort.abort(),
  };
}

export type Lifecycle = ReturnType<typeof createLifecycle>;

/** Creates a PENDING tenant integration with a new id and secret (or those given). */
function create({ tenants, integrations }: Deps, platformTenantId: string, appId: string, given: Given): Integration {
  tenants.get(platformTenantId);
  if (!integrations.app(appId)) throw new SandboxError(404, 'not_found', `the application ${appId} is not registered`);
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
}

const createSecret = (): string => randomBytes(32).toString('base64url');

async function call(
  deps: Deps,
  integration: Integration,
  name: LifecycleCall['call'],
  body: Record<string, unknown>,
  nonce = createNonce(),
): Promise<Outcome> {
  const { tenantIntegrationId, secret, appId } = integration;
  const app = deps.integrations.app(appId);
  if (!app) throw new SandboxError(409, 'conflict', `the application ${appId} is not registered`);
  const outcome = await deps.outbound.send({
    route: name,
    url: `${app.installBaseUrl}/${name}`,
    tenantIntegrationId,
    secret,
    appSecret: deps.appSecret,
    nonce,
    body: JSON.stringify(body),
  });
  if (deps.stopping.aborted) throw new SandboxError(503, 'stopping', 'the sandbox is stopping');
  const status = outcome.answered ? outcome.status : null;
  const detail = (outcome.answered ? withoutSecrets(outcome.body) : outcome.reason).slice(0, 500);
  deps.integrations.change(tenantIntegrationId, {
    lastCall: { call: name, at: new Date().toISOString(), status, detail },
  });
  return outcome;
}

function resultOf({ integrations }: Deps, tenantIntegrationId: string, outcome: Outcome): LifecycleResult {
  const integration = integrations.get(tenantIntegrationId);
  return outcome.answered
    ? { status: outcome.status, answer: parsed(outcome.body), integration }
    : { status: null, answer: outcome.reason, integration };
}

async function installUntilResponse(deps: Deps, tenantIntegrationId: string): Promise<LifecycleResult> {
  const began = Date.now();
  let nonce = createNonce();
  for (let attempt = 1; ; attempt += 1) {
    const integration = deps.integrations.get(tenantIntegrationId);
    const outcome = await call(deps, integration, 'install', installBody(deps, integration), nonce);
    const again = !outcome.answered || outcome.status >= 500 || outcome.status === 429;
    if (!again || Date.now() - began > INSTALL_GIVES_UP_AFTER_MS) {
      settleInstall(deps, tenantIntegrationId, outcome);
      return resultOf(deps, tenantIntegrationId, outcome);
    }
    if (outcome.answered) nonce = createNonce();
    await pause(Math.min(LONGEST_WAIT_MS, 200 * 2 ** attempt), undefined, { signal: deps.stopping });
  }
}

function settleInstall({ integrations }: Deps, tenantIntegrationId: string, outcome: Outcome): void {
  const response = outcome.answered && outcome.status === 200 ? parsed(outcome.body) : undefined;
  const { webhookUrl, externalTenantId, installStatus } = (response ?? {}) as Record<string, unknown>;
  const active = installStatus === 'ACTIVE' && typeof webhookUrl === 'string' && typeof externalTenantId === 'string';
  integrations.change(tenantIntegrationId, {
    installing: false,
    ...(active ? { status: 'ACTIVE', webhookUrl, externalTenantId } : {}),
  });
}

function assertActive({ integrations }: Deps, tenantIntegrationId: string): Integration {
  const integration = integrations.get(tenantIntegrationId);
  if (integration.status === 'ACTIVE') return integration;
  throw new SandboxError(409, 'not_active', `the tenant integration is ${integration.status}`);
}

async function update(deps: Deps, tenantIntegrationId: string): Promise<LifecycleResult> {
  const integration = assertActive(deps, tenantIntegrationId);
  const { tenant, serviceNumbers } = installBody(deps, integration);
  const outcome = await call(deps, integration, 'update', { tenantIntegrationId, tenant, serviceNumbers });
  return resultOf(deps, tenantIntegrationId, outcome);
}

/**
 * Announces a new secret; it becomes current here once the application has responded 200. A retry sends the same
 * one.
 */
async function rotate(
  deps: Deps,
  tenantIntegrationId: string,
  graceSeconds?: number,
  newSecret?: string,
): Promise<LifecycleResult> {
  const integration = assertActive(deps, tenantIntegrationId);
  const next = newSecret ?? integration.nextSecret ?? createSecret();
  deps.integrations.change(tenantIntegrationId, { nextSecret: next });
  const body = { tenantIntegrationId, newSecret: next, ...(graceSeconds === undefined ? {} : { graceSeconds }) };
  const outcome = await call(deps, integration, 'rotate-secret', body);
  if (outcome.answered && outcome.status === 200) {
    const until = new Date(Date.now() + (graceSeconds ?? DEFAULT_GRACE_SECONDS) * 1000).toISOString();
    deps.integrations.change(tenantIntegrationId, {
      secret: next,
      nextSecret: undefined,
      previous: { secret: integration.secret, until },
      rotatedAt: new Date().toISOString(),
    });
  }
  return resultOf(deps, tenantIntegrationId, outcome);
}

async function uninstall(deps: Deps, tenantIntegrationId: string, reason?: string): Promise<LifecycleResult> {
  const integration = deps.integrations.get(tenantIntegrationId);
  const body = { tenantIntegrationId, ...(reason ? { reason } : {}) };
  const outcome = await call(deps, integration, 'uninstall', body);
  if (outcome.answered && outcome.status === 200) {
    deps.integrations.change(tenantIntegrationId, { status: 'UNINSTALLED' });
  }
  return resultOf(deps, tenantIntegrationId, outcome);
}

function installBody({ tenants }: Deps, { appId, platformTenantId, tenantIntegrationId, secret }: Integration) {
  const { name, type, serviceNumbers } = tenants.get(platformTenantId);
  const tenant = { name, type };
  return { appId, platformTenantId, tenantIntegrationId, tenantIntegrationSecret: secret, tenant, serviceNumbers };
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
