import { expect } from 'chai';
import { createAutomation } from '#commands/outreach/automations/create-automation.ts';
import { moveAutomation } from '#commands/outreach/automations/move-automation.ts';
import { rows } from '#db/database.ts';
import { insertSteps } from '#db/outreach/steps/steps.ts';
import { automationBodySchema } from '#domain/api/automations.ts';
import { automationsWorkflowId } from '#workflows/contracts/drive-automations.ts';
import { dispatchWorkflowId } from '#workflows/contracts/dispatch-campaign.ts';
import { stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';
import { variantsWorkflowId } from '#workflows/contracts/test-variants.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform } from '#test/support/fixtures/outreach.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { against, card } from '#test/support/outreach/variant-sends.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { eventually } from '#test/support/time/eventually.ts';

const BEHIND_MS = 20 * 60_000;

describe('workflows of a worker whose clock is behind the one of the workflow server', function () {
  this.timeout(60_000);
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const now = () => new Date(Date.now() - BEHIND_MS);
  const worker = useOutreachWorker(database, {
    platform,
    settings: { AUTOMATIONS_WINDOW_MS: 60_000 },
    deps: { now },
  });
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  /** The first timer of a run, in seconds, and how often the activity was called before. */
  async function firstWait(workflowId: string, activity: string): Promise<{ seconds: number; calls: number }> {
    const handle = worker.client.workflow.getHandle(workflowId);
    return await eventually('it waits', async () => {
      const { events } = await handle.fetchHistory();
      const timer = (events ?? []).findIndex(({ timerStartedEventAttributes: started }) => started);
      if (timer === -1) return false;
      const seconds = Number(events?.[timer]?.timerStartedEventAttributes?.startToFireTimeout?.seconds ?? 0);
      const calls = (events ?? [])
        .slice(0, timer)
        .filter(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === activity);
      return { seconds, calls: calls.length };
    });
  }
  const set = ({ campaignId }: TestSend, assignments: string, bindings: object = {}) =>
    rows(database, `update campaign set ${assignments} where campaign_id = :campaignId`, { campaignId, ...bindings });

  it('dispatchCampaign waits for the next sub-task of a pace', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [100, 100] });
    await set(send, `pace = '{"perMinute": 100}'`);
    await rows(database, 'update dispatch set created_at = :at where campaign_id = :campaignId', {
      at: now(),
      campaignId: send.campaignId,
    });
    await worker.launcher.dispatch(send, { wake: false });
    const { seconds, calls } = await firstWait(dispatchWorkflowId(send.campaignId, 1), 'submitBroadcasts');
    expect(seconds).to.be.within(50, 60);
    expect([calls, platform.of('A1').length]).to.deep.equal([1, 1]);
  });

  it('followSteps waits for the message before a step', async () => {
    const { tenantId } = tenant;
    const send = await seedSend(database, tenantId, { chunks: [3] });
    const { campaignId } = send;
    const steps = [
      {
        after: { amount: 1, unit: 'hours' as const },
        condition: { outcome: 'clicked' as const },
        messages: [card('Second')],
      },
    ];
    await set(send, 'steps = :steps::jsonb', { steps: JSON.stringify(steps) });
    await database.transaction((transaction) =>
      insertSteps(transaction, { tenantId, campaignId }, { steps, now: now() }),
    );
    await rows(
      database,
      `update broadcast_task set status = 'sending', task_id = 'task-' || key, submitted_at = :at where campaign_id = :campaignId`,
      { campaignId, at: new Date(now().getTime() - 2 * 60 * 60_000) },
    );
    await worker.launcher.steps(send, { wake: false });
    const { seconds, calls } = await firstWait(stepsWorkflowId(campaignId), 'lookAtSteps');
    expect(seconds).to.equal(60, 'at most a minute, since the look may have been a while ago');
    expect(calls).to.equal(1);
  });

  it('testVariants waits before it looks again', async () => {
    const { tenantId } = tenant;
    const send = await seedSend(database, tenantId, { chunks: [5, 5] });
    const { campaignId, dispatchId } = send;
    await set(send, 'variants = :variants::jsonb', { variants: JSON.stringify(against([30, 30])) });
    await rows(
      database,
      `insert into variant_test (campaign_id, tenant_id, dispatch_id, next_look_at)
       values (:campaignId, :tenantId, :dispatchId, :at)`,
      { campaignId, tenantId, dispatchId, at: now() },
    );
    await rows(database, 'update broadcast_task set arm = chunk, variant = chunk where campaign_id = :campaignId', {
      campaignId,
    });
    await worker.launcher.variantTest(send, { wake: false });
    const { seconds, calls } = await firstWait(variantsWorkflowId(campaignId), 'lookAtVariants');
    expect(seconds).to.be.within(25, 60);
    expect(calls).to.equal(1);
  });

  it('driveAutomations waits for its window', async () => {
    const { tenantId } = tenant;
    const number = { tenantId, serviceNumberId: 'sn-1' };
    const author = { tenantId, userId: 'operator', requestId: null };
    const body = automationBodySchema.parse({
      name: 'Welcome',
      serviceNumberId: 'sn-1',
      trigger: { event: 'contact.followed' },
      steps: [{ messages: [card('Hello')] }],
    });
    const at = new Date(now().getTime() - 1000);
    const { automationId } = await createAutomation(database, author, body, {
      now: at,
      appId: 'outreach',
      automationsPerTenant: 10,
    });
    await moveAutomation(database, author, automationId, {
      action: 'activate',
      now: at,
      appId: 'outreach',
      lookMs: null,
    });
    const inbox = inboxOf(database, now);
    const data = { contactId: 'new', serviceNumberId: 'sn-1' };
    await inbox.store(eventCommand(tenant, 'contact.followed', data, { occurredAt: now().toISOString() }));
    await inbox.handle();
    await worker.launcher.automations(number, { wake: false });
    const { seconds, calls } = await firstWait(automationsWorkflowId(number), 'lookAtAutomations');
    expect(seconds).to.be.within(30, 45);
    expect(calls).to.equal(1);
  });
});
