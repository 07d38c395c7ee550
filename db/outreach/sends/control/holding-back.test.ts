import { expect } from 'chai';
import { chooseControl, isDrawn, keyOf } from '#test/support/outreach/control-group.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import { CONTACTS_PER_PAGE } from '../freezing.ts';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';

const CONTACTS = CONTACTS_PER_PAGE + 2500;

describe('a campaign that holds back a control group', () => {
  const backend = useTwoTenants({ contacts: CONTACTS });

  const ids = (count: number) => Array.from({ length: count }, (_, n) => contactId(n + 1));
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await backend.call(method, path, { body, headers: { 'If-Match': '*' } });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  const draft = (contactIds: string[], holdoutPercent: number | null) =>
    backend.draft({ audience: { type: 'contacts', contactIds }, holdoutPercent });
  /** Whom a send is for, and whom it holds back. */
  async function frozen(campaignId: string) {
    const dispatch = await backend.db('dispatch').where({ campaign_id: campaignId, number: 1 }).first();
    const lists = await backend.db('dispatch_control').where({ dispatch_id: dispatch.dispatchId }).orderBy('part');
    const sent: string[] = await backend
      .db('dispatch_recipient')
      .where({ dispatch_id: dispatch.dispatchId })
      .orderBy('contact_id')
      .pluck('contact_id');
    return { dispatch, sent, control: lists.flatMap((list) => list.contactIds as string[]), lists };
  }
  const drawn = async (campaignId: string, percent: number, contacts: string[]) => {
    const key = await keyOf(backend.db, campaignId);
    return contacts.filter((one) => isDrawn(key, percent, one));
  };

  it('sends to those whom HMAC-SHA-256 with its key does not choose, and to nobody else', async () => {
    const everyone = ids(2500);
    const id = await draft(everyone, 20);
    const run = await call('POST', `/campaigns/${id}:dry-run`);
    const sent = await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: 2500 });
    const found = await frozen(id);
    expect(found.control).to.deep.equal(await drawn(id, 20, everyone));
    expect(found.control.length).to.be.within(400, 600);
    expect([...found.sent, ...found.control].toSorted()).to.deep.equal(everyone);
    expect(sent).to.include({ audienceCount: found.sent.length, controlCount: found.control.length });

    const { audienceCount, subTasks } = await call('GET', `/campaigns/${id}/progress`);
    expect([audienceCount, subTasks.pending.contacts]).to.deep.equal([found.sent.length, found.sent.length]);
    const [dispatch] = (await call('GET', `/campaigns/${id}/dispatches`)).items;
    expect(dispatch).to.include({ audienceCount: found.sent.length, controlCount: found.control.length });
    // The rehearsal chose the same, whose hash a send to the same contacts has.
    expect(run).to.include({ audienceCount: found.sent.length, controlCount: found.control.length });
    const rehearsed = await backend.db('dry_run').where({ campaign_id: id }).first();
    expect(found.dispatch.audienceHash).to.equal(rehearsed.audienceHash);
    expect((await call('GET', `/campaigns/${id}/audience-drift`)).reasons).to.deep.equal([]);
  });

  it('does not say of those held back that they were reached, or are among the recipients', async () => {
    const everyone = ids(6);
    const [one = '', other = ''] = everyone;
    const id = await draft(everyone, 50);
    await chooseControl(backend.db, id, { percent: 50, audience: everyone, control: [one, other] });
    await call('POST', `/campaigns/${id}:send`);
    await backend
      .db('broadcast_task')
      .where({ campaign_id: id })
      .update({ status: 'completed', finished_at: new Date(), sent: 4, delivered: 4 });
    const reached = { type: 'segment', segment: { reached: { campaignIds: [id] } } };
    const preview = await call('POST', '/audiences:preview', { serviceNumberId: 'sn-1', audience: reached });
    expect(preview.reachableCount).to.equal(4);
    expect(await call('GET', `/campaigns/${id}/recipients/${one}`)).to.deep.include({ isControl: true, sends: [] });
    const sent = await call('GET', `/campaigns/${id}/recipients/${contactId(3)}`);
    expect([sent.isControl, sent.sends.length]).to.deep.equal([false, 1]);
    const campaignsOf = async (contact: string): Promise<(string | undefined)[]> =>
      (await call('GET', `/contacts/sn-1/${contact}/timeline`)).items.map(
        (entry: { campaignId?: string }) => entry.campaignId,
      );
    expect(await campaignsOf(contactId(3))).to.include(id);
    expect(await campaignsOf(one)).not.to.include(id);
    const csv = await fetch(`${backend.base}/internal/v1/campaigns/${id}/recipients.csv`, {
      headers: { Authorization: `Bearer ${backend.operator}` },
    });
    const text = await csv.text();
    expect(text).to.contain(contactId(3));
    expect(text).not.to.contain(one);
  });

  it('draws each copy anew, and not again for a retry', async () => {
    const everyone = ids(1500);
    const id = await draft(everyone, 30);
    await call('POST', `/campaigns/${id}:send`);
    const first = await frozen(id);
    const copy = await call('POST', `/campaigns/${id}:duplicate`);
    expect(copy.holdoutPercent).to.equal(30);
    await call('POST', `/campaigns/${copy.id}:send`);
    expect((await frozen(copy.id)).control).not.to.deep.equal(first.control);

    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'rejected' });
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'failed' });
    await call('POST', `/campaigns/${id}:retry-failed`);
    const retry = await backend.db('dispatch').where({ campaign_id: id, number: 2 }).first();
    const again = await backend.db('dispatch_recipient').where({ dispatch_id: retry.dispatchId }).pluck('contact_id');
    expect(again.toSorted()).to.deep.equal(first.sent);
    expect(retry.controlCount).to.equal(0);
    expect(await call('GET', `/campaigns/${id}`)).to.include({ controlCount: first.control.length });
  });

  it('freezes the control group of a large audience page by page, in full lists', async () => {
    const everyone = ids(CONTACTS);
    const id = await draft(everyone, 10);
    const sent = await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: CONTACTS });
    // About as many, until they are read.
    expect(sent).to.include({ audienceCount: CONTACTS * 0.9, controlCount: 0 });
    const { dispatch } = await frozen(id);
    const key = { tenantId: 'a', dispatchId: dispatch.dispatchId };
    expect(await freezeNextPage(backend.db, key, new Date())).to.equal(false);
    expect(await freezeNextPage(backend.db, key, new Date())).to.equal(true);
    const found = await frozen(id);
    expect(found.control).to.deep.equal(await drawn(id, 10, everyone));
    expect([...found.sent, ...found.control].toSorted()).to.deep.equal(everyone);
    const sizes = found.lists.map(({ contactCount }) => contactCount);
    expect(sizes.slice(0, -1)).to.deep.equal(sizes.slice(0, -1).map(() => 1000));
    expect(await call('GET', `/campaigns/${id}`)).to.include({
      audienceCount: found.sent.length,
      controlCount: found.control.length,
    });
    const tasks = await backend.db('broadcast_task').where({ campaign_id: id }).orderBy('chunk');
    expect(tasks.reduce((sum, { contactCount }) => sum + contactCount, 0)).to.equal(found.sent.length);
  });

  it('says that the share was changed where a send differs from its rehearsal for that', async () => {
    const everyone = ids(40);
    const id = await draft(everyone, null);
    expect(await call('POST', `/campaigns/${id}:dry-run`)).to.include({ audienceCount: 40, controlCount: 0 });
    await call('PATCH', `/campaigns/${id}`, { holdoutPercent: 50 });
    await call('POST', `/campaigns/${id}:send`);
    const { control } = await frozen(id);
    const drift = await call('GET', `/campaigns/${id}/audience-drift`);
    expect(drift.removed).to.deep.equal(control.map((one) => ({ contactId: one, reason: 'holdout_changed' })));
    expect(drift.added).to.deep.equal([]);
  });

  it('is refused if it would send to nobody', async () => {
    const [one = ''] = ids(1);
    const id = await draft([one], 50);
    await chooseControl(backend.db, id, { percent: 50, audience: [one], control: [one] });
    const refused = await backend.act(id, 'send', { body: { expectedReachableCount: 1 } });
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'audience_empty']);
    expect(await backend.db('dispatch').where({ campaign_id: id })).to.deep.equal([]);
    const { warnings } = await call('POST', `/campaigns/${id}:dry-run`);
    expect(warnings.map(({ code }: { code: string }) => code)).to.include('audience_empty');
  });

  it('has a share of 1 to 50 whole percents, which is fixed once it was sent', async () => {
    const id = await draft(ids(30), null);
    const change = (holdoutPercent: unknown) =>
      backend.call('PATCH', `/campaigns/${id}`, { body: { holdoutPercent }, headers: { 'If-Match': '*' } });
    for (const wrong of [0, 51, 2.5, '10', -1]) expect((await change(wrong)).status, String(wrong)).to.equal(400);
    for (const right of [1, 50, null]) expect((await change(right)).body.holdoutPercent).to.equal(right);
    const never = await frozenAsWhole(id);
    expect(never).to.deep.equal([30, 0]);
    const late = await change(10);
    expect([late.status, late.body.errors[0].path]).to.deep.equal([409, '/holdoutPercent']);
  });

  /** Sends it; how many it is for, and how many it holds back. */
  async function frozenAsWhole(id: string): Promise<[number, number]> {
    await call('POST', `/campaigns/${id}:send`);
    const { sent, control } = await frozen(id);
    expect(await backend.db('holdout_key').where({ campaign_id: id })).to.deep.equal([]);
    return [sent.length, control.length];
  }

  it('asks for approval by the whole audience', async () => {
    const everyone = ids(10);
    await backend.db('tenant').where({ tenant_id: 'a' }).update({ sends_need_approval: 9 });
    try {
      const id = await draft(everyone, 50);
      await chooseControl(backend.db, id, {
        percent: 50,
        audience: everyone.slice(0, 2),
        control: everyone.slice(0, 2),
      });
      const asked = await call('POST', `/campaigns/${id}:send`, { expectedReachableCount: 10 });
      expect([asked.status, asked.approval.contacts]).to.deep.equal(['draft', 10]);
      const approver = await backend.token('a', 'tenant_admin', 'other');
      const body = { approvalId: asked.approval.approvalId, expectedReachableCount: 10 };
      const approved = await backend.call('POST', `/campaigns/${id}:approve`, { token: approver, body });
      expect(approved.status, JSON.stringify(approved.body)).to.equal(202);
      expect(approved.body.audienceCount + approved.body.controlCount).to.equal(10);
    } finally {
      await backend.db('tenant').where({ tenant_id: 'a' }).update({ sends_need_approval: null });
    }
  });
});
