import { type Client, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { rows } from '#db/database.ts';
import { taskQueues } from '#temporal.config.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { installResultUpdate, installWorkflowId } from '#workflows/contracts/install-tenant.ts';
import { lifecycleWorkflowId } from '#workflows/contracts/lifecycle.ts';
import type { JsonClient } from '../demo/client.ts';

const platformTenantId = 'lifecycle';

async function isRetrying(client: Client, workflowId: string): Promise<boolean> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return (raw.pendingActivities ?? []).some(({ attempt }) => Number(attempt) > 1);
}

/**
 * What the lifecycle's happy paths leave out: rejections, an install that replaces the previous one while its
 * slots are being registered, a rotation that is rolled back, and runs kept open by an unavailable platform.
 */
export async function playLifecycle(
  stack: Stack,
  sandbox: JsonClient,
  install: (platformTenantId: string) => Promise<string>,
): Promise<void> {
  const { client } = stack.temporal;
  const owner = stack.database.connect('bff', 'owner');
  const start = (type: string, workflowId: string, input: { tenantIntegrationId: string; number?: number }) =>
    client.workflow.start(type, { taskQueue: taskQueues.bff, workflowId, args: [{ ...input, platformTenantId }] });
  const lifecycle = (type: string, tenantIntegrationId: string, number: number) =>
    start(type, lifecycleWorkflowId(tenantIntegrationId, number), { tenantIntegrationId, number });

  const nobody = 'ti-nobody';
  await (await start('installTenant', installWorkflowId(nobody), { tenantIntegrationId: nobody })).result();
  await (await lifecycle('registerSlots', nobody, 1)).result();
  await (await lifecycle('rotateSecret', nobody, 2)).result();

  await rows(owner, 'revoke select on secret_rotation from bff', {});
  const lost = await lifecycle('rotateSecret', nobody, 3);
  await eventually(
    'the rotation is being rolled back',
    async () =>
      (await lost.fetchHistory()).events?.some(
        (event) => event.activityTaskTimedOutEventAttributes ?? event.activityTaskFailedEventAttributes,
      ) ?? false,
    { timeoutMs: 30_000 },
  );
  await rows(owner, 'grant select on secret_rotation to bff', {});
  await lost.result();

  const going = [await install('going-1'), await install('going-2'), await install('going-3')] as const;
  await sandbox.put('/sandbox/faults', { faults: [{ route: 'embed', mode: 'status', status: 503 }] });
  const replaced = await install(platformTenantId);
  const installing = installWorkflowId(replaced);
  await eventually('the slots are refused', () => isRetrying(client, installing));
  const [raised] = await rows<{ revision: number }>(
    owner,
    'update tenant_integration set revision = revision + 1 where tenant_integration_id = :replaced returning revision',
    { replaced },
  );
  await client.workflow.getHandle(installing).executeUpdate(installResultUpdate, {
    args: [{ revision: Number(raised?.revision) }],
  });
  await lifecycle('registerSlots', replaced, 4);
  await eventually(
    'both go on trying',
    async () => (await isRetrying(client, installing)) && (await isRetrying(client, lifecycleWorkflowId(replaced, 4))),
  );

  await playFailingUninstalls(stack, going, (id) => lifecycle('uninstallTenant', id, 5));
}

/**
 * A backend that cannot end the integrations for a while: one uninstall eventually succeeds, one is cancelled,
 * one keeps retrying.
 */
async function playFailingUninstalls(
  { temporal: { client }, database }: Stack,
  [first, second, third]: readonly [string, string, string],
  uninstall: (tenantIntegrationId: string) => Promise<WorkflowHandle>,
): Promise<void> {
  const owner = database.connect('outreach', 'owner');
  const fail = async (tenantIntegrationId: string) => {
    const handle = await uninstall(tenantIntegrationId);
    await eventually('the uninstall is retried', () => isRetrying(client, handle.workflowId));
    return handle;
  };
  const away = () => rows(owner, 'revoke update on tenant_integration from outreach', {});
  await away();
  const delayed = await fail(first);
  const cancelled = await fail(second);
  await cancelled.cancel();
  await cancelled.result().catch((error: unknown) => {
    if (!(error instanceof WorkflowFailedError)) throw error;
  });
  await rows(owner, 'grant update on tenant_integration to outreach', {});
  await delayed.result();
  await away();
  await fail(third);
}
