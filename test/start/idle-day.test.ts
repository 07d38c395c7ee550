import type { ScheduleDescription } from '@temporalio/client';
import { expect } from 'chai';
import { refundWorkflowId } from '#workflows/contracts/orders/refund-charge.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { runCost } from '../support/servers/actions.ts';
import { eventually } from '../support/time/eventually.ts';

const DAY_MS = 86_400_000;

/** What a Schedule itself is billed for each run that it starts, beside the start. */
const OF_SCHEDULE = 2;

function runsADay({ spec }: ScheduleDescription): number {
  const intervals = (spec.intervals ?? []).map(({ every }) => DAY_MS / Number(every));
  return intervals.reduce((sum, runs) => sum + runs, (spec.calendars ?? []).length);
}

describe('A day on which nothing happens', function () {
  this.timeout(240_000);
  const stack = useStack();

  it('costs the workflow server at most 1,500 actions', async () => {
    const { client } = stack.temporal;
    const costs: Record<string, number> = {};
    for await (const { scheduleId } of client.schedule.list()) {
      const handle = client.schedule.getHandle(scheduleId);
      if ((await handle.describe()).info.numActionsTaken === 0) await handle.trigger();
      const described = await eventually(`${scheduleId} has run`, async () => {
        const found = await handle.describe();
        return found.info.recentActions.length > 0 && found;
      });
      const [run] = described.info.recentActions;
      if (run?.action.type !== 'startWorkflow') throw new Error(`${scheduleId} starts no workflow`);
      const { workflowId } = run.action.workflow;
      await client.workflow.getHandle(workflowId).result();
      const { actions, localBatches } = await runCost(client, workflowId);
      costs[scheduleId] = runsADay(described) * (OF_SCHEDULE + actions + localBatches);
    }
    expect(costs).to.include.keys('outreach-sweep', 'orders-sweep', 'no-response-scan', 'expire-temporary-tags');
    const total = Object.values(costs).reduce((sum, actions) => sum + actions, 0);
    process.stderr.write(`      ${JSON.stringify(costs)}, ${total} altogether\n`);
    expect(total, JSON.stringify(costs)).to.be.at.most(1500);
    // And nothing runs beside the Schedules.
    const started: string[] = [];
    for await (const { workflowId } of client.workflow.list()) started.push(workflowId);
    const unplanned = started.filter((id) => !Object.keys(costs).some((scheduleId) => id.startsWith(scheduleId)));
    expect(unplanned).to.deep.equal([]);
  });

  it('is no day on which work that was left behind waits for a Schedule: the workers find it', async () => {
    const { client } = stack.temporal;
    for (const scheduleId of ['outreach-sweep', 'orders-sweep']) await client.schedule.getHandle(scheduleId).delete();
    const outreach = stack.database.connect('outreach', 'owner');
    await outreach('tenant').insert({
      tenantId: 'idle',
      externalTenantId: 'idle',
      name: 'Idle',
      type: 'business',
      status: 'active',
    });
    const integration = { tenantIntegrationId: 'idle-1', tenantId: 'idle' };
    await outreach('tenant_integration').insert({
      ...integration,
      webhookUrl: 'http://localhost/webhook',
      status: 'UNINSTALLED',
    });
    await outreach('event_inbox').insert({
      ...integration,
      eventId: 'left',
      eventType: 'notice.clicked',
      partition: 1,
      payload: '{}',
      occurredAt: new Date(0),
      nextAttemptAt: new Date(0),
    });
    const orders = stack.database.connect('orders', 'owner');
    await orders('tenant').insert({ tenantId: 'idle', name: 'Idle', businessType: 0 });
    await orders('refund').insert({
      refundId: 'left',
      chargeId: 'left',
      tenantId: 'idle',
      kind: 'unaccepted',
      status: 'pending',
    });
    for (const workflowId of ['inbox:1', refundWorkflowId('left')])
      await eventually(`${workflowId} is started`, () =>
        client.workflow
          .getHandle(workflowId)
          .describe()
          .then(
            () => true,
            () => false,
          ),
      );
  });
});
