import { join } from 'node:path';
import { expect } from 'chai';
import { createSweepActivities } from '#activities/outreach/sweep.ts';
import { createLauncher } from '#api/backend/launch.ts';
import { type Database, rows } from '#db/database.ts';
import { cancelSteps } from '#commands/outreach/steps/cancel-steps.ts';
import { insertSteps } from '#db/outreach/steps/steps.ts';
import type { Step } from '#domain/api/steps.ts';
import { collectHistories, writeHistories } from '#scripts/capture/histories.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform, useWorkerOnJumpingClock } from '#test/support/fixtures/outreach.ts';
import { seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { clickCard } from '#test/support/outreach/step-campaigns.ts';
import { card, sentBy } from '#test/support/outreach/variant-sends.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { currentDetails } from '#test/support/services/outreach-worker.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';

const hourMs = 3_600_000;

const stepOf = (title: string, hours: number, outcome: Step['condition']['outcome']): Step => ({
  after: { amount: hours, unit: 'hours' },
  condition: { outcome },
  messages: [card(title)],
});

/** A send to contacts whom the service number knows, as the send transaction leaves it, with its steps. */
async function seedSteps(database: Database, tenantId: string, steps: Step[], now = new Date()): Promise<TestSend> {
  const send = await seedSend(database, tenantId, { chunks: [3, 2], messages: [card('First')] });
  const { campaignId, dispatchId } = send;
  await rows(database, 'update campaign set steps = :steps::jsonb where campaign_id = :campaignId', {
    campaignId,
    steps: JSON.stringify(steps),
  });
  await rows(
    database,
    `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
     select :tenantId, 'sn-1', contact_id, 'following', :now from dispatch_recipient where dispatch_id = :dispatchId
     on conflict do nothing`,
    { tenantId, dispatchId, now },
  );
  await database.transaction((transaction) => insertSteps(transaction, { tenantId, campaignId }, { steps, now }));
  return send;
}

const stateOf = (database: Database, { campaignId }: TestSend) =>
  rows<{ state: string; reason: string | null; stepCampaignId: string | null }>(
    database,
    'select state, reason, step_campaign_id from campaign_step where campaign_id = :campaignId order by position',
    { campaignId },
  );

describe('followSteps, on a skipping clock', () => {
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const { worker, clock, look, calls } = useWorkerOnJumpingClock(database, platform);
  let tenant: TestTenant;

  beforeEach(async () => {
    tenant = await seedTenant(database, testEncryption);
    await look();
  });

  it('sends each contact what follows for it and nothing else, with a timer for each step', async () => {
    const steps = [stepOf('Second', 24, 'not_clicked'), stepOf('Third', 48, 'clicked')];
    const send = await seedSteps(database, tenant.tenantId, steps, clock());
    const { tenantId, campaignId } = send;
    await worker.launcher.dispatch(send, { wake: false });
    await worker.launcher.steps(send, { wake: false });
    await eventually('it is submitted', () => platform.of('A1').length === 2);
    await worker.environment.sleep(hourMs / 2);
    await eventually('the campaign is over', async () => {
      const [found] = await rows<{ status: string }>(
        database,
        'select status from campaign where campaign_id = :campaignId',
        { campaignId },
      );
      return found?.status === 'completed';
    });
    await clickCard(database, { tenantId, campaignId, contactId: 'c0-1', bizEventCode: 'buy', clickedAt: clock() });
    await clickCard(database, { tenantId, campaignId, contactId: 'c1-1', bizEventCode: 'buy', clickedAt: clock() });
    const sentWith = (title: string) =>
      platform
        .of('A1')
        .map((call) => sentBy(call))
        .filter((sent) => sent.title === title)
        .flatMap(({ contactIds }) => contactIds)
        .toSorted();
    await worker.environment.sleep(23 * hourMs);
    expect(sentWith('Second'), 'an hour before it is due').to.deep.equal([]);
    await worker.environment.sleep(2 * hourMs);
    await eventually('the second is sent', () => sentWith('Second').length > 0);
    expect(sentWith('Second')).to.deep.equal(['c0-2', 'c0-3', 'c1-2']);
    const [second] = await stateOf(database, send);
    await clickCard(database, {
      tenantId,
      campaignId: second?.stepCampaignId ?? '',
      contactId: 'c0-3',
      bizEventCode: 'buy',
      clickedAt: clock(),
    });
    await worker.environment.sleep(50 * hourMs);
    await eventually('the third is sent', () => sentWith('Third').length > 0);
    expect(sentWith('Third')).to.deep.equal(['c0-3']);
    expect(sentWith('First')).to.have.length(5);
    const { workflow } = worker.environment.client;
    expect(await workflow.getHandle(stepsWorkflowId(campaignId)).result()).to.deep.equal({ sent: 2 });
    expect((await stateOf(database, send)).map(({ state }) => state)).to.deep.equal(['sent', 'sent']);
    // At the send, when each is due, after the first was sent, and once more for each that waits for the platform.
    expect(calls('lookAtSteps')).to.be.within(4, 8);
  });
});

describe('followSteps', function () {
  this.timeout(120_000);
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const worker = useOutreachWorker(database, { platform });
  let tenant: TestTenant;
  const steps = [stepOf('Second', 1, 'not_clicked'), stepOf('Third', 48, 'not_clicked')];

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });
  /** Without the names of campaigns, which recorded histories must not have. */
  const launcher = () => createLauncher(worker.client);
  const author = () => ({ tenantId: tenant.tenantId, userId: 'operator', requestId: null });
  const handleOf = ({ campaignId }: TestSend) => worker.client.workflow.getHandle(stepsWorkflowId(campaignId));
  const says = (send: TestSend, text: string) =>
    eventually(
      `it says “${text}”`,
      async () => (await currentDetails(worker.client, stepsWorkflowId(send.campaignId)))?.includes(text) === true,
    );
  /** The platform took and finished everything two hours ago. */
  const finish = async ({ campaignId }: TestSend) => {
    await rows(
      database,
      `update broadcast_task set status = 'completed', task_id = 'task-' || key, sent = 1, delivered = 1,
         submitted_at = now() - interval '2 hours', finished_at = now() where campaign_id = :campaignId`,
      { campaignId },
    );
    await rows(database, `update campaign set status = 'completed' where campaign_id = :campaignId`, { campaignId });
  };
  const copies = ({ campaignId }: TestSend) =>
    rows<{ campaignId: string }>(
      database,
      `select campaign_id from campaign where tenant_id = :tenantId
         and audience -> 'segment' -> 'all' -> 0 -> 'reached' -> 'campaignIds' ->> 0 = :campaignId`,
      { tenantId: tenant.tenantId, campaignId },
    );

  it('has an id that staff can guess', () => {
    expect(stepsWorkflowId('c-1')).to.equal('steps:c-1');
  });

  it('says to staff what it waits for, and ends when the steps are cancelled', async () => {
    const send = await seedSteps(database, tenant.tenantId, steps);
    await launcher().steps(send, { wake: true });
    await says(send, 'Step 1 of 2 waits until the message before it is submitted to everybody.');
    const { searchAttributes } = await handleOf(send).describe();
    expect(searchAttributes).to.deep.include({ TenantId: [send.tenantId], CampaignId: [send.campaignId] });
    await cancelSteps(database, author(), send.campaignId, { from: 1, now: new Date() });
    await launcher().steps(send, { wake: true });
    expect(await handleOf(send).result()).to.deep.equal({ sent: 0 });
    expect(await currentDetails(worker.client, stepsWorkflowId(send.campaignId))).to.equal('No step is left.');
  });

  it('sends once though several runs and the sweep look, and goes on when its workflow was lost', async () => {
    const send = await seedSteps(database, tenant.tenantId, steps);
    await launcher().steps(send, { wake: true });
    await says(send, 'Looked at again');
    await handleOf(send).terminate('lost');
    await finish(send);
    await rows(
      database,
      `update campaign_step set next_look_at = now() - interval '1 minute' where campaign_id = :campaignId and position = 1`,
      { campaignId: send.campaignId },
    );
    const before = platform.of('A1').length;
    const sweep = () => createSweepActivities(worker.deps).sweepOutreachRows();
    await Promise.all([sweep(), sweep(), sweep()]);
    await says(send, 'Step 2 of 2 waits');
    await sweep();
    await eventually('the platform has the second message', () => platform.of('A1').length > before);
    const [copy, ...others] = await copies(send);
    expect(others).to.deep.equal([]);
    await eventually('it is submitted', async () => {
      const tasks = await rows<{ taskId: string | null }>(
        database,
        'select task_id from broadcast_task where campaign_id = :id',
        { id: copy?.campaignId },
      );
      return tasks.length === 1 && tasks[0]?.taskId !== null;
    });
    expect(platform.of('A1').length).to.equal(before + 1);
    expect((await stateOf(database, send)).map(({ state }) => state)).to.deep.equal(['sent', 'waiting']);
    await handleOf(send).terminate('over');
  });

  it('ends with an answer for every step when nobody is left', async () => {
    const send = await seedSteps(database, tenant.tenantId, steps);
    await finish(send);
    for (const contactId of ['c0-1', 'c0-2', 'c0-3', 'c1-1', 'c1-2'])
      await clickCard(database, { ...send, contactId, bizEventCode: 'buy', clickedAt: new Date() });
    await launcher().steps(send, { wake: true });
    expect(await handleOf(send).result()).to.deep.equal({ sent: 0 });
    expect((await stateOf(database, send)).map(({ reason }) => reason)).to.deep.equal([
      'audience_empty',
      'previous_skipped',
    ]);
    expect(await copies(send)).to.deep.equal([]);
  });

  it('waits while its row is locked; RECORD_HISTORIES=on keeps these runs for test/replay', async () => {
    const sent = await seedSteps(database, tenant.tenantId, steps.slice(0, 1));
    await finish(sent);
    await launcher().steps(sent, { wake: true });
    expect(await handleOf(sent).result()).to.deep.equal({ sent: 1 });
    const waiting = await seedSteps(database, tenant.tenantId, steps);
    await finish(waiting);
    await database.transaction(async (transaction) => {
      await rows(transaction, 'select 1 from campaign_step where campaign_id = :campaignId for update', { ...waiting });
      await launcher().steps(waiting, { wake: true });
      await eventually(
        'it has begun',
        async () => ((await handleOf(waiting).describe()).raw.pendingActivities ?? []).length === 1,
      );
    });
    await says(waiting, 'Step 2 of 2 waits');
    expect(await copies(waiting)).to.have.length(1);
    if (process.env['RECORD_HISTORIES'] === 'on') {
      const captured = await collectHistories(worker.client);
      const named = ({ history }: { history: unknown }) =>
        [...JSON.stringify(history).matchAll(/"data":"([^"]+)"/g)].some(([, data]) =>
          Buffer.from(data ?? '', 'base64')
            .toString()
            .includes('“'),
        );
      const own = captured.filter((one) => one.type === 'followSteps' && !named(one));
      writeHistories(join(projectFolder, 'test/histories'), own);
    }
    await handleOf(waiting).terminate('over');
  });
});
