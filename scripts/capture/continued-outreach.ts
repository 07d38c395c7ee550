import type { Client } from '@temporalio/client';
import type { Automation } from '#domain/api/automations.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { draftCampaign, sendCampaign } from '#test/support/outreach/campaigns.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { installTenant, type TestTenant } from '#test/support/services/tenant.ts';
import { automationsWakeSignal, automationsWorkflowId } from '#workflows/contracts/drive-automations.ts';
import { stepsWakeSignal, stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';
import { inboxWakeSignal } from '#workflows/contracts/handle-inbox.ts';
import { variantsWakeSignal, variantsWorkflowId } from '#workflows/contracts/test-variants.ts';
import type { SignalDefinition } from '@temporalio/client';

const card = (title: string) => ({
  type: 'buttons',
  title,
  text: 'One of several.',
  actions: [{ type: 'Postback', label: title, data: { bizEventCode: 'yes' } }],
});

/** Each signal is an event of the recording. */
const rarely = { intervalMs: 1000 };

async function hasContinued(client: Client, workflowId: string): Promise<boolean> {
  const query = `WorkflowId = '${workflowId}' and ExecutionStatus = 'ContinuedAsNew'`;
  return (await client.workflow.count(query)).count > 0;
}

/** Wakes a run that waits, again and again, until it has continued as new. */
async function wakeUntilContinued(client: Client, workflowId: string, signal: SignalDefinition): Promise<void> {
  await eventually(
    `${workflowId} continues as new`,
    async () => {
      await client.workflow.getHandle(workflowId).signal(signal);
      return hasContinued(client, workflowId);
    },
    rarely,
  );
}

/** Drains are woken while they wait for more events. */
async function playInbox(client: Client, { tenantId, serviceNumberId, sandbox }: TestTenant): Promise<void> {
  await sandbox.post('/sandbox/contacts:announce', { tenant: tenantId, serviceNumberId, wait: true });
  await eventually(
    'a drain continues as new',
    async () => {
      for await (const { workflowId } of client.workflow.list({
        query: `WorkflowType = 'handleInbox' and ExecutionStatus = 'Running'`,
      }))
        await client.workflow
          .getHandle(workflowId)
          .signal(inboxWakeSignal)
          .catch(() => undefined);
      const query = `WorkflowType = 'handleInbox' and ExecutionStatus = 'ContinuedAsNew'`;
      return (await client.workflow.count(query)).count > 0;
    },
    rarely,
  );
}

/** A send that the platform puts off, and the polls of another, whose status changes. */
async function playSends(client: Client, tenant: TestTenant): Promise<void> {
  const putOff = { route: 'A1', mode: 'status', status: 429, retryAfter: 2, count: 1 };
  await tenant.sandbox.put('/sandbox/faults', { faults: [putOff] });
  await sendCampaign(tenant, { name: 'Put off' });
  for (const type of ['dispatchCampaign', 'pollTaskStatus'])
    await eventually(`${type} continues as new`, async () => {
      const query = `WorkflowType = '${type}' and ExecutionStatus = 'ContinuedAsNew'`;
      return (await client.workflow.count(query)).count > 0;
    });
}

async function playWaits(client: Client, tenant: TestTenant): Promise<void> {
  const step = {
    after: { amount: 24, unit: 'hours' },
    condition: { outcome: 'not_clicked' },
    messages: [card('Again')],
  };
  const { campaign } = await sendCampaign(tenant, { messages: [card('First')], steps: [step] } as object);
  await wakeUntilContinued(client, stepsWorkflowId(campaign.id), stepsWakeSignal);

  const winner = { by: { type: 'clicks' }, decide: 'hand', afterHours: 24, otherwise: 'best', minimum: 0 };
  const others = [{ name: 'Short', sharePercent: 40, messages: [card('Short')] }];
  const variants = { name: 'Long', sharePercent: 40, others, winner };
  const { id } = await draftCampaign(tenant, { messages: [card('Long')], variants } as object);
  await tenant.api.post<Campaign>(`/campaigns/${id}:send`);
  await wakeUntilContinued(client, variantsWorkflowId(id), variantsWakeSignal);
  await tenant.api.post(`/campaigns/${id}/variants:choose`, { name: 'Long' });
  await client.workflow.getHandle(variantsWorkflowId(id)).result();
}

/** A follower whose welcome is due in a while. */
async function playAutomation(client: Client, tenant: TestTenant): Promise<void> {
  const { tenantId, serviceNumberId, sandbox, api } = tenant;
  const { automationId } = await api.post<{ automationId: string }>('/automations', {
    name: 'Welcome',
    serviceNumberId,
    trigger: { event: 'contact.entered' },
    delay: { minutes: 5 },
    steps: [{ messages: [card('Welcome')] }],
  });
  await api.post(`/automations/${automationId}:activate`);
  await sandbox.post('/sandbox/contacts:announce', { tenant: tenantId, serviceNumberId, wait: true });
  const workflowId = automationsWorkflowId({ tenantId, serviceNumberId });
  await eventually('the automation is driven', async () => {
    const { executionTime } = await client.workflow.getHandle(workflowId).describe();
    const { counts } = await api.get<Automation>(`/automations/${automationId}`);
    return executionTime !== undefined && counts.waiting > 0;
  });
  await wakeUntilContinued(client, workflowId, automationsWakeSignal);
}

/** Every workflow of campaigns that can continue as new does so: for a server that suggests it after a few events. */
export async function playContinuedOutreach(stack: Stack): Promise<void> {
  const { client } = stack.temporal;
  const tenant = await installTenant(stack, { tenantId: 'capture', serviceNumberId: 'sn-capture', contacts: 30 });
  await playInbox(client, tenant);
  await playSends(client, tenant);
  await playWaits(client, tenant);
  await playAutomation(client, tenant);
}
