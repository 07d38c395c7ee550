import { expect } from 'chai';
import { type Database, rows } from '#db/database.ts';
import { pauseCampaign } from '#commands/outreach/sends/pause-campaign.ts';
import { resumeCampaign } from '#commands/outreach/sends/resume-campaign.ts';
import type { Variants } from '#domain/api/variants.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform, useWorkerOnJumpingClock } from '#test/support/fixtures/outreach.ts';
import { readTasks, seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { against, card, sentBy } from '#test/support/outreach/variant-sends.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { currentDetails } from '#test/support/services/outreach-worker.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { variantsWorkflowId } from '#workflows/contracts/test-variants.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A send of 5 contacts to each variant and 5 to the rest, as the send transaction leaves it. */
async function seedTest(database: Database, tenantId: string, variants: Variants, now = new Date()): Promise<TestSend> {
  const send = await seedSend(database, tenantId, { chunks: [5, 5, 5], messages: [card('A')] });
  const ids = { campaignId: send.campaignId, tenantId, dispatchId: send.dispatchId };
  await rows(database, 'update campaign set variants = :variants::jsonb where campaign_id = :campaignId', {
    ...ids,
    variants: JSON.stringify(variants),
  });
  await rows(
    database,
    `update broadcast_task set arm = case chunk when 2 then 5 else chunk end, variant = case chunk when 2 then null else chunk end
     where campaign_id = :campaignId`,
    ids,
  );
  await rows(
    database,
    'insert into variant_test (campaign_id, tenant_id, dispatch_id, next_look_at) values (:campaignId, :tenantId, :dispatchId, :now)',
    { ...ids, now },
  );
  return send;
}

describe('testVariants, on a skipping clock', () => {
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const { worker, clock, look, calls } = useWorkerOnJumpingClock(database, platform);
  let tenant: TestTenant;

  beforeEach(async () => {
    platform.calls.length = 0;
    tenant = await seedTenant(database, testEncryption);
    await look();
  });

  it('has an id that staff can guess', () => {
    expect(variantsWorkflowId('c-1')).to.equal('variants:c-1');
  });

  it('looks ever less often, takes the one that is ahead after its time, and has the rest sent', async () => {
    const send = await seedTest(
      database,
      tenant.tenantId,
      against([33, 33], { decide: 'automatic', afterHours: 24 }),
      clock(),
    );
    await worker.launcher.dispatch(send, { wake: false });
    await worker.launcher.variantTest(send, { wake: false });
    await eventually('both variants are submitted', () => platform.of('A1').length === 2);
    expect(
      platform
        .of('A1')
        .map((call) => sentBy(call).title)
        .toSorted(),
    ).to.deep.equal(['A', 'B']);
    await worker.environment.sleep(25 * hourMs);
    await eventually('the rest is submitted', () => platform.of('A1').length === 3);
    const result = await worker.environment.client.workflow.getHandle(variantsWorkflowId(send.campaignId)).result();
    expect(result).to.deep.equal({ chosen: 0 });
    expect(
      platform
        .of('A1')
        .map((call) => sentBy(call).title)
        .toSorted(),
    ).to.deep.equal(['A', 'A', 'B']);
    const sentTo = platform.of('A1').flatMap((call) => sentBy(call).contactIds);
    expect([sentTo.length, new Set(sentTo).size]).to.deep.equal([15, 15]);
    // Every half minute for ten minutes, ever less often for five hours, then every quarter of an hour.
    expect(calls('lookAtVariants')).to.be.within(100, 200);
  });
});

describe('testVariants', () => {
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const worker = useOutreachWorker(database, { platform });
  let tenant: TestTenant;

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });
  const author = () => ({ tenantId: tenant.tenantId, userId: 'operator', requestId: null });
  const detailsOf = ({ campaignId }: TestSend) => currentDetails(worker.client, variantsWorkflowId(campaignId));
  const says = (send: TestSend, text: string) =>
    eventually(`it says “${text}”`, async () => (await detailsOf(send))?.includes(text) === true);

  it('says to staff where the test is, and is paused with its campaign', async () => {
    const send = await seedTest(database, tenant.tenantId, against([33, 33]));
    await worker.launcher.variantTest(send, { wake: true });
    await says(send, 'The platform has not begun to send every variant.');
    await worker.launcher.dispatch(send, { wake: false });
    await eventually('both variants are accepted', async () => {
      const tasks = await readTasks(database, send);
      return tasks.filter(({ taskId }) => taskId !== null).length === 2;
    });
    await worker.launcher.variantTest(send, { wake: true });
    await says(send, 'An operator has to choose. A: 0 of 5, B: 0 of 5.');
    await pauseCampaign(database, author(), send.campaignId, new Date());
    await worker.launcher.variantTest(send, { wake: true });
    await says(send, 'The campaign is paused');
    await resumeCampaign(database, author(), send.campaignId, new Date());
    await worker.launcher.variantTest(send, { wake: true });
    await says(send, 'An operator has to choose.');
  });

  it('goes on from its rows when its workflow is lost, and ends where nobody waits', async () => {
    const send = await seedTest(database, tenant.tenantId, against([33, 33]));
    await worker.launcher.variantTest(send, { wake: true });
    const handle = () => worker.client.workflow.getHandle(variantsWorkflowId(send.campaignId));
    await says(send, 'Looked at again');
    await handle().terminate('lost');
    await rows(
      database,
      "update variant_test set next_look_at = now() - interval '1 minute' where campaign_id = :campaignId",
      {
        campaignId: send.campaignId,
      },
    );
    await worker.client.workflow.execute('sweepOutreach', {
      taskQueue: 'outreach',
      workflowId: 'sweep-tests',
      args: [],
    });
    await says(send, 'Looked at again');
    expect((await handle().describe()).status.name).to.equal('RUNNING');
    await rows(
      database,
      "update broadcast_task set status = 'cancelled' where campaign_id = :campaignId and status = 'pending'",
      { campaignId: send.campaignId },
    );
    await worker.launcher.variantTest(send, { wake: true });
    expect(await handle().result()).to.deep.equal({ chosen: null });
    expect(await detailsOf(send)).to.equal('Nobody waits for a variant.');
  });
});
