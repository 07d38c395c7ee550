import { acknowledgeInstall, beginInstall, findIntegration, secretsOf } from '#db/bff/integrations.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { installBodySchema } from '#domain/api/inbound.ts';
import type { InstalledServiceNumbers } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import type { Deadline } from '../deadline.ts';
import { gone, type LifecycleDeps, lifecycleRoute } from './lifecycle.ts';
import { isSignedWith, notSigned, type SignedCall } from './signed-call.ts';

/** The secret in the body, or undefined if there is none, in which case the schema rejects the body. */
function broughtSecret(body: Buffer): string | undefined {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { tenantIntegrationSecret?: unknown } | null;
    return typeof parsed?.tenantIntegrationSecret === 'string' ? parsed.tenantIntegrationSecret : undefined;
  } catch {
    return undefined;
  }
}

/** One entry per service number: the last of any duplicates. */
export function withoutRepeats(serviceNumbers: InstalledServiceNumbers): InstalledServiceNumbers {
  return [...new Map(serviceNumbers.map((entry) => [entry.serviceNumberId, entry])).values()];
}

const conflict = () =>
  new Problem('conflict', 'The tenant has an active integration, or this one is installed with another secret');

export function installRoute(deps: LifecycleDeps) {
  const { database, publicUrl } = deps;
  const webhookUrl = `${publicUrl}/webhook`;

  /**
   * The call must be signed with the secret it contains or with the known one. The contained secret proves nothing by
   * itself.
   */
  function prove(call: SignedCall, integration: TenantIntegration | null): void {
    const brought = broughtSecret(call.body);
    if (brought === undefined || isSignedWith(call, brought)) return;
    if (integration && isSignedWith(call, secretsOf(database, integration).current)) return;
    throw notSigned();
  }

  async function waitForInstall(
    ids: { tenantIntegrationId: string; platformTenantId: string },
    revision: number,
    deadline: Deadline,
  ): Promise<TenantIntegration> {
    const response = await deps.launch.install(ids, revision, deadline);
    if (response.kind === 'refused') throw response.code === 'gone' ? gone() : conflict();
    const installed = await findIntegration(database, ids.tenantIntegrationId);
    // Another call has replaced this one in the meantime.
    if (installed?.status !== 'ACTIVE') throw new Problem('unavailable', 'Not installed yet; try again');
    return installed;
  }

  return lifecycleRoute(deps, {
    body: installBodySchema,
    prove,
    whenUninstalled: 'gone',
    async handle({ body, deadline }) {
      if (body.appId !== deps.appId) {
        throw new Problem('invalid_request', 'The call is for another application', {
          errors: [{ path: '/appId', message: 'is not this application' }],
        });
      }
      const { tenantIntegrationId, platformTenantId } = body;
      const begun = await beginInstall(database, {
        tenantIntegrationId,
        platformTenantId,
        secret: body.tenantIntegrationSecret,
        webhookUrl,
        handshake: { tenant: body.tenant, serviceNumbers: withoutRepeats(body.serviceNumbers) },
      });
      if (begun.kind === 'conflict') throw conflict();
      if (begun.kind === 'gone') throw gone();
      const integration =
        begun.kind === 'active'
          ? begun.integration
          : await waitForInstall({ tenantIntegrationId, platformTenantId }, begun.revision, deadline);
      await acknowledgeInstall(database, tenantIntegrationId);
      return {
        webhookUrl,
        externalTenantId: integration.externalTenantId,
        installStatus: 'ACTIVE',
      };
    },
  });
}
