import type { Client } from '@temporalio/client';
import { rows } from '../../db/database.ts';
import { taskQueues } from '../../temporal.config.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { Stack } from '../../test/support/stack.ts';
import { installAnswerUpdate, installWorkflowId } from '../../workflows/contracts/install-tenant.ts';
import { lifecycleWorkflowId } from '../../workflows/contracts/lifecycle.ts';
import type { JsonClient } from '../demo/client.ts';

const platformTenantId = 'lifecycle';

async function isRetrying(client: Client, workflowId: string): Promise<boolean> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return (raw.pendingActivities ?? []).some(({ attempt }) => Number(attempt) > 1);
}

/**
 * What the lifecycle's happy paths leave out: refusals, an install that replaces the one before while its slots are
 * registered, a rotation that is taken back, and runs that a platform which is away keeps open.
 */
export async function playLifecycle(
  { temporal: { client }, database }: Stack,
  sandbox: JsonClient,
  install: (platformTenantId: string) => Promise<string>,
): Promise<void> {
  const owner = database.connect('bff', 'owner');
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
    'the rotation is being taken back',
    async () =>
      (await lost.fetchHistory()).events?.some(
        (event) => event.activityTaskTimedOutEventAttributes ?? event.activityTaskFailedEventAttributes,
      ) ?? false,
    { timeoutMs: 30_000 },
  );
  await rows(owner, 'grant select on secret_rotation to bff', {});
  await lost.result();

  await sandbox.put('/sandbox/faults', { faults: [{ route: 'embed', mode: 'status', status: 503 }] });
  const replaced = await install(platformTenantId);
  const installing = installWorkflowId(replaced);
  await eventually('the slots are refused', () => isRetrying(client, installing));
  const [raised] = await rows<{ revision: number }>(
    owner,
    'update tenant_integration set revision = revision + 1 where tenant_integration_id = :replaced returning revision',
    { replaced },
  );
  await client.workflow.getHandle(installing).executeUpdate(installAnswerUpdate, {
    args: [{ revision: Number(raised?.revision) }],
  });
  await lifecycle('registerSlots', replaced, 4);
  await eventually(
    'both go on trying',
    async () => (await isRetrying(client, installing)) && (await isRetrying(client, lifecycleWorkflowId(replaced, 4))),
  );
}
