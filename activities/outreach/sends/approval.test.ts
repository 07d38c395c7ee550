import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { approveSend } from '#commands/outreach/sends/approval/approve-send.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { doubtUnfinishedSends } from '#commands/outreach/sends/ledger/doubt-unfinished-sends.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';
import { pauseCampaign } from '#commands/outreach/sends/pause-campaign.ts';
import { resumeCampaign } from '#commands/outreach/sends/resume-campaign.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedLargeDraft } from '#test/support/outreach/rows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

const AT = new Date(Date.now() + 3_600_000);

describe('approval of what is submitted', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;
  beforeEach(async () => (site = await openSendingSite(database)));
  afterEach(() => site.close());

  const author = (userId = 'u1') => ({ tenantId: site.tenant.tenantId, userId, requestId: null });
  const request = { idempotencyKey: null, expectedReachableCount: null, now: new Date() };
  const limitTo = (limit: number | null) =>
    database('tenant').where({ tenant_id: site.tenant.tenantId }).update({ sends_need_approval: limit });

  /** So many contacts have the tag of the campaign. */
  const grow = (campaignId: string, contacts: number) =>
    rows(
      database,
      `with known as (
         insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
         select :tenantId, 'sn-1', 'c' || n, 'following', now() from generate_series(1, :contacts::int) as n
         on conflict do nothing)
       insert into tag_assignment (tenant_id, tag_id, contact_id)
       select :tenantId, (select audience -> 'appTagIds' ->> 0 from campaign where campaign_id = :campaignId), 'c' || n
       from generate_series(1, :contacts::int) as n on conflict do nothing`,
      { tenantId: site.tenant.tenantId, campaignId, contacts },
    );

  /** A draft to 25 contacts, whose audience is resolved at its start. */
  async function draft(): Promise<string> {
    const campaignId = await seedLargeDraft(database, site.tenant.tenantId);
    const schedule = JSON.stringify({ type: 'scheduled', at: AT.toISOString(), audience: 'at_start' });
    await database('campaign').where({ campaign_id: campaignId }).update({ schedule });
    return campaignId;
  }
  const send = async (campaignId: string) => await sendCampaign(database, author(), campaignId, request);
  const sendOf = async (campaignId: string) => {
    const { dispatchId } = await database('dispatch').where({ campaignId }).orderBy('number', 'desc').first();
    return { tenantId: site.tenant.tenantId, campaignId, dispatchId, number: 1, keys: [] };
  };
  const freeze = async (campaignId: string) => await freezeNextPage(database, await sendOf(campaignId), AT);
  const submit = async (campaignId: string) => await site.submit(await sendOf(campaignId));
  const pause = async (campaignId: string) => await pauseCampaign(database, author(), campaignId, AT);
  const resume = async (campaignId: string) => await resumeCampaign(database, author(), campaignId, AT);
  const read = async (campaignId: string) => await findCampaign(database, site.tenant.tenantId, campaignId);
  const submitted = () =>
    site.platform.of('A1').map(({ body }) => (body['audience'] as { contactIds: string[] }).contactIds.length);
  async function approve(campaignId: string): Promise<void> {
    const approvalId = (await read(campaignId))?.approval?.approvalId ?? '';
    await approveSend(database, author('u2'), campaignId, {
      approvalId,
      expectedReachableCount: null,
      now: new Date(),
    });
  }
  async function expectHeld(campaignId: string, contacts: number): Promise<void> {
    const campaign = await read(campaignId);
    expect(campaign).to.include({ status: 'paused', pauseReason: 'approval' });
    expect(campaign?.approval).to.include({ contacts, outcome: null });
    expect(submitted()).to.deep.equal([]);
  }

  it('is asked for by the first claim, though the campaign was paused while its audience was frozen', async () => {
    await limitTo(30);
    const id = await draft();
    await send(id);
    await grow(id, 40);
    await pause(id);
    expect(await freeze(id)).to.equal(true);
    await resume(id);
    expect(await submit(id)).to.deep.equal({ waitUntil: null });
    await expectHeld(id, 40);
    await approve(id);
    await submit(id);
    expect(submitted()).to.deep.equal([40]);
  });

  it('is for about as many contacts as were approved: more than a tenth more are asked for again', async () => {
    await limitTo(20);
    for (const [grown, asksAgain] of [
      [27, false],
      [28, true],
    ] as const) {
      site.platform.calls.length = 0;
      const id = await draft();
      expect((await send(id)).dispatch).to.equal(null);
      await approve(id);
      await grow(id, grown);
      await freeze(id);
      await submit(id);
      if (asksAgain) await expectHeld(id, grown);
      else expect(submitted()).to.deep.equal([grown]);
    }
  });

  it('is needed by the limit at the first claim, and not in the middle', async () => {
    const [lowered, raised, begun] = [await draft(), await draft(), await draft()];
    await send(lowered);
    await freeze(lowered);
    await limitTo(20);
    await submit(lowered);
    await expectHeld(lowered, 25);

    await limitTo(25);
    await send(raised);
    await limitTo(26);
    await grow(raised, 26);
    await freeze(raised);
    await submit(raised);
    expect(submitted()).to.deep.equal([26]);

    site.platform.calls.length = 0;
    await sendCampaign(database, author('u3'), begun, request);
    await database('dispatch').where({ campaign_id: begun }).update({ sub_task_size: 20 });
    await freeze(begun);
    const { tenantId, dispatchId } = await sendOf(begun);
    await site.run(() => site.activities.submitBroadcasts({ tenantId, dispatchId, from: 0, to: 0 }));
    expect(submitted()).to.deep.equal([20]);
    await limitTo(20);
    await submit(begun);
    expect(submitted()).to.deep.equal([20, 5]);
    expect(await read(begun)).to.include({ pauseReason: null, approval: null });
  });

  it('is needed by a retry of what was never submitted', async () => {
    const id = await draft();
    await send(id);
    await freeze(id);
    await limitTo(20);
    await doubtUnfinishedSends(database, new Date());
    await database('broadcast_task').where({ campaign_id: id }).update({ status: 'rejected', submitting_since: null });
    await retryFailed(database, author(), id, { idempotencyKey: null, asked: [], now: new Date() });
    expect(await database('dispatch').where({ campaign_id: id })).to.have.length(2);
    await submit(id);
    await expectHeld(id, 25);
  });

  it('waits until it is known to whom the whole send goes', async () => {
    await limitTo(30);
    const id = await draft();
    await send(id);
    await database('dispatch').where({ campaign_id: id }).update({ frozen_count: 25 });
    await rows(
      database,
      `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count)
       select 'first-page', tenant_id, campaign_id, dispatch_id, 0, 'pending', 25 from dispatch where campaign_id = :id`,
      { id },
    );
    expect(await submit(id)).to.deep.equal({ waitUntil: null });
    expect(submitted()).to.deep.equal([]);
    expect(await site.run(async () => site.activities.planDispatch(await sendOf(id)))).to.deep.include({ ranges: [] });
  });

  describe('of several sends of one person', () => {
    const sendAs = (userId: string, campaignId: string) => sendCampaign(database, author(userId), campaignId, request);
    /** A send to 25 contacts that was submitted. */
    async function sent(userId = 'u1'): Promise<string> {
      const id = await draft();
      expect((await sendAs(userId, id)).dispatch).to.include({ number: 1 });
      await freeze(id);
      await submit(id);
      expect(submitted()).to.deep.equal([25]);
      site.platform.calls.length = 0;
      return id;
    }
    /** Whether a further one to 25 is asked about, and why. */
    async function asked(userId = 'u1') {
      const id = await draft();
      await sendAs(userId, id);
      const approval = (await read(id))?.approval ?? null;
      return approval && { reason: approval.reason, contacts: approval.contacts, sum: approval.sum?.contacts ?? null };
    }
    const together = { reason: 'sum', contacts: 25, sum: 50 };

    it('counts what they have in a day together, for each person by itself', async () => {
      await limitTo(49);
      const id = await sent();
      expect(await asked()).to.deep.equal(together);
      expect(await asked('u3')).to.equal(null);
      await limitTo(50);
      expect(await asked()).to.equal(null);
      await limitTo(24);
      expect(await asked()).to.deep.equal({ reason: 'contacts', contacts: 25, sum: null });
      await limitTo(49);
      await database('campaign')
        .where({ campaignId: id })
        .update({ firstClaimedAt: new Date(request.now.getTime() - 24 * 3_600_000) });
      expect(await asked()).to.equal(null);
    });

    it('counts what keys of programs send for who made them', async () => {
      await limitTo(49);
      const keyId = '00000000-0000-4000-8000-000000000001';
      const { tenantId } = site.tenant;
      const made = { auditId: 'key-made', tenantId, actor: 'u1', action: 'api_key.create', objectType: 'api_key' };
      await database('audit_log').insert({ ...made, objectId: keyId });
      await sent(`key:${keyId}`);
      expect(await asked()).to.deep.equal(together);
      expect(await asked('u3')).to.equal(null);
    });

    it('counts neither what was approved nor what the platform has refused', async () => {
      await limitTo(49);
      const id = await sent();
      await database('broadcast_task').where({ campaignId: id }).update({ status: 'rejected' });
      expect(await asked()).to.equal(null);
      await database('broadcast_task').where({ campaignId: id }).update({ status: 'sending' });
      const other = await draft();
      await sendAs('u1', other);
      await approve(other);
      await freeze(other);
      await submit(other);
      expect(submitted()).to.deep.equal([25]);
      await limitTo(50);
      expect(await asked()).to.equal(null);
    });

    it('decides about those that were sent at one moment one after the other', async () => {
      await limitTo(49);
      const ids = [await draft(), await draft()];
      for (const id of ids) expect((await sendAs('u1', id)).dispatch).to.include({ number: 1 });
      await database('tenant').where({ tenant_id: site.tenant.tenantId }).update({ sends_need_approval: null });
      for (const id of ids) await freeze(id);
      await limitTo(49);
      await Promise.all(ids.map((id) => submit(id)));
      expect(submitted()).to.deep.equal([25]);
      const states = await Promise.all(ids.map((id) => read(id)));
      expect(states.map((one) => one?.pauseReason).toSorted()).to.deep.equal(['approval', null]);
      const held = states.find((one) => one?.pauseReason === 'approval');
      expect(held?.approval).to.deep.include({ reason: 'sum', contacts: 25, outcome: null });
      await approve(held?.id ?? '');
      await submit(held?.id ?? '');
      expect(submitted()).to.deep.equal([25, 25]);
    });
  });
});
