import { expect } from 'chai';
import { REST_ARM } from '#domain/campaigns/variants/variants.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readCampaign, readTasks, seedSend, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { rows } from '#db/database.ts';
import { claimApproved } from '../approval/claim-approved.ts';
import { abandonSubmissions } from './abandon-submissions.ts';
import { claimSubTask, releaseClaims } from '#db/outreach/sends/ledger/ledger.ts';
import { pauseLate } from './pause-late.ts';

describe('claiming sub-tasks', () => {
  const database = useDatabase('outreach');
  const now = new Date();

  async function seed(chunks: number[]): Promise<TestSend> {
    const { tenantId } = await seedTenant(database, testEncryption);
    return seedSend(database, tenantId, { chunks });
  }
  const rangeOf = ({ tenantId, dispatchId }: TestSend) => ({ tenantId, dispatchId, from: 0, to: 99, now });
  const claim = (send: TestSend, owner = 'me') => claimApproved(database, claimSubTask, { ...rangeOf(send), owner });
  const set = ({ campaignId }: TestSend, assignments: string) =>
    rows(database, `update broadcast_task set ${assignments} where campaign_id = :campaignId`, { campaignId });

  it('takes each of the tenant’s, in order, until none is left', async () => {
    const send = await seed([1, 2]);
    expect(await claim({ ...send, tenantId: 'another' })).to.equal(null);
    expect(await claim(send)).to.include({ key: send.keys[0], chunk: 0, attempts: 1 });
    expect(await claim(send)).to.deep.include({ key: send.keys[1], contactIds: ['c1-1', 'c1-2'] });
    expect(await claim(send)).to.equal(null);
  });

  it('takes none before its next attempt is due', async () => {
    const send = await seed([1]);
    await database('broadcast_task')
      .where({ campaign_id: send.campaignId })
      .update({ next_attempt_at: new Date(now.getTime() + 1) });
    expect(await claim(send)).to.equal(null);
    await database('broadcast_task').where({ campaign_id: send.campaignId }).update({ next_attempt_at: now });
    expect(await claim(send)).to.include({ key: send.keys[0] });
  });

  for (const [what, sql] of [
    ['paused', `update campaign set status = 'paused', pause_reason = 'operator' where campaign_id = :campaignId`],
    ['cancelled', 'update campaign set cancel_requested = true where campaign_id = :campaignId'],
    ['uninstalled', `update tenant_integration set status = 'UNINSTALLED' where tenant_id = :tenantId`],
  ] as const)
    it(`takes none while it is ${what}`, async () => {
      const { tenantId, campaignId, ...send } = await seed([1, 1]);
      expect(await claim({ tenantId, campaignId, ...send })).to.include({ key: send.keys[0] });
      await rows(database, sql, { tenantId, campaignId });
      expect(await claim({ tenantId, campaignId, ...send })).to.equal(null);
    });

  it('takes each once, however many claim at once', async () => {
    const send = await seed(Array.from({ length: 20 }, () => 1));
    const claimed = await Promise.all(Array.from({ length: 20 }, () => claim(send)));
    const keys = claimed.flatMap((one) => one?.key ?? []);
    expect(new Set(keys).size).to.equal(keys.length);
    expect((await readTasks(database, send)).map(({ attempts }) => attempts)).to.not.include(2);
  });

  it('takes none while its campaign is being changed', async () => {
    const send = await seed([1, 1]);
    expect(await claim(send)).to.include({ key: send.keys[0] });
    const { tenantId, campaignId } = send;
    await database('campaign_edit').insert({
      edit_id: 'e-1',
      tenant_id: tenantId,
      campaign_id: campaignId,
      patch: '{}',
      requested_by: 'u1',
      requested_at: now,
    });
    expect(await claim(send)).to.equal(null);
    await database('campaign_edit').where({ edit_id: 'e-1' }).update({ outcome: 'made', settled_at: now });
    expect(await claim(send)).to.include({ key: send.keys[1] });
  });

  it('takes none of the rest of a test before a variant is chosen', async () => {
    const send = await seed([1]);
    await set(send, `arm = ${REST_ARM}`);
    expect(await claim(send)).to.equal(null);
    await set(send, 'variant = 1');
    expect(await claim(send)).to.include({ key: send.keys[0], variant: 1 });
  });

  it('is given back by its owner alone, but for what was called for', async () => {
    const send = await seed([1, 1, 1]);
    const [called] = [await claim(send, 'mine'), await claim(send, 'mine'), await claim(send, 'theirs')];
    await releaseClaims(database, { ...rangeOf(send), owner: 'mine', except: [called?.key ?? ''] });
    const found = await database('broadcast_task')
      .where({ campaign_id: send.campaignId })
      .orderBy('chunk')
      .select('status', 'submitting_by');
    expect(found).to.deep.equal([
      { status: 'submitting', submittingBy: 'mine' },
      { status: 'pending', submittingBy: null },
      { status: 'submitting', submittingBy: 'theirs' },
    ]);
  });
});

describe('submissions that a dead process left behind', () => {
  const database = useDatabase('outreach');
  const now = new Date();
  const before = new Date(now.getTime() - 20_000);

  it('become unknown, or pending if they may be repeated, and only once no call can be under way', async () => {
    for (const [repeatable, status] of [
      [false, 'unknown'],
      [true, 'pending'],
    ] as const) {
      const { tenantId } = await seedTenant(database, testEncryption);
      const send = await seedSend(database, tenantId, { chunks: [1, 1] });
      const range = { tenantId, dispatchId: send.dispatchId, from: 0, to: 99 };
      await claimApproved(database, claimSubTask, { ...range, owner: 'dead', now: before });
      await claimApproved(database, claimSubTask, { ...range, owner: 'alive', now: new Date(before.getTime() + 1) });
      expect(await abandonSubmissions(database, { ...range, before, repeatable, now })).to.equal(1);
      const tasks = await readTasks(database, send);
      expect(tasks.map((task) => task.status)).to.deep.equal([status, 'submitting']);
    }
  });
});

describe('a send that is late', () => {
  const database = useDatabase('outreach');
  const now = new Date();

  it('is paused once its grace period is over, and not again once it was resumed', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const send = await seedSend(database, tenantId, { chunks: [1], at: new Date(now.getTime() - 60_000) });
    const late = (startedBefore: Date) => pauseLate(database, { ...send, startedBefore, now });
    expect(await late(new Date(now.getTime() - 60_000))).to.equal(false);
    expect(await late(new Date(now.getTime() - 59_999))).to.equal(true);
    expect(await readCampaign(database, send)).to.include({ status: 'paused', pauseReason: 'late' });
    await database('campaign')
      .where({ campaign_id: send.campaignId })
      .update({ status: 'sending', pause_reason: null });
    expect(await late(now)).to.equal(false);
    expect(await readCampaign(database, send)).to.include({ status: 'sending' });
  });
});
