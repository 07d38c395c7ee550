import { expect } from 'chai';
import type { CampaignLift, Comparison } from '#domain/api/lift.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-06-01T08:00:00Z');
const hours = (count: number) => new Date(START.getTime() + count * HOUR_MS);

describe('the lift of a campaign', () => {
  const backend = useTwoTenants({ contacts: 3000 });
  let id: string;
  let sent: string[];
  let control: string[];

  afterEach(() => backend.setNow(null));

  const lift = async (query = '', campaignId = id): Promise<CampaignLift> => {
    const response = await backend.call('GET', `/campaigns/${campaignId}/lift${query}`);
    expect(response.status, JSON.stringify(response.body)).to.equal(200);
    return response.body;
  };
  const everyone = Array.from({ length: 3000 }, (_, n) => contactId(n + 1));
  const post = async (path: string, body: unknown = {}) => {
    const response = await backend.call('POST', path, { body });
    expect(response.status, JSON.stringify(response.body)).to.be.below(300);
    return response.body;
  };
  async function sendTo(contactIds: string[], holdoutPercent: number | null): Promise<string> {
    const campaignId = await backend.draft({ audience: { type: 'contacts', contactIds }, holdoutPercent });
    await post(`/campaigns/${campaignId}:send`);
    return campaignId;
  }
  const begin = (campaignId: string) =>
    backend.db('campaign').where({ campaign_id: campaignId }).update({ started_at: START, status: 'completed' });
  const armsOf = async (campaignId: string) => {
    const { dispatchId } = await backend.db('dispatch').where({ campaign_id: campaignId, number: 1 }).first();
    const of = async (table: string): Promise<string[]> =>
      (await backend.db(table).where({ dispatch_id: dispatchId })).flatMap((row) => row.contactIds);
    return { sent: await of('dispatch_chunk'), control: await of('dispatch_control') };
  };

  let sessions = 0;
  const converse = (contacts: string[], openedAt: Date, more: object = {}) =>
    backend.db.batchInsert(
      'conversation',
      contacts.map((contact) => ({
        tenant_id: 'a',
        session_id: `s${(sessions += 1)}`,
        service_number_id: 'sn-1',
        contact_id: contact,
        opened_at: openedAt,
        ...more,
      })),
    );
  async function tag(name: string, contacts: string[], assignedAt: Date, more: object = {}): Promise<string> {
    const { tagId } = await post('/tags', { name, serviceNumberId: 'sn-1', kind: 'permanent' });
    const rows = contacts.map((contact) => ({
      tenant_id: 'a',
      tag_id: tagId,
      contact_id: contact,
      assigned_at: assignedAt,
      ...more,
    }));
    await backend.db.batchInsert('tag_assignment', rows);
    await backend.db('tag').where({ tag_id: tagId }).update({ contact_count: contacts.length });
    return tagId;
  }
  const measured = ({ comparisons }: CampaignLift) =>
    Object.fromEntries(
      comparisons.map(({ measure, sent: one, control: other, verdict }: Comparison) => [
        measure.type === 'tag' ? measure.name : measure.type,
        [one.converted, other.converted, verdict],
      ]),
    );

  before(async () => {
    id = await sendTo(everyone, 40);
    ({ sent, control } = await armsOf(id));
  });

  it('compares nothing without a control group, and nothing before the platform begins', async () => {
    const none = { windowDays: 7, from: null, until: null, comparisons: [] };
    const draft = await backend.draft({ holdoutPercent: 10 });
    expect(await lift('', draft)).to.deep.equal({ state: 'no_control_group', ...none });
    const whole = await sendTo(everyone.slice(0, 10), null);
    await begin(whole);
    expect(await lift('', whole)).to.deep.equal({ state: 'no_control_group', ...none });
    expect(await lift()).to.deep.equal({ state: 'not_started', ...none });
  });

  it('counts each contact once who did something within the window, in either arm', async () => {
    await begin(id);
    backend.setNow(hours(7 * 24));
    const week = 7 * 24;
    // 300 of those sent to, one of them twice, and at both ends of the window.
    await converse(sent.slice(0, 298), hours(5));
    await converse(sent.slice(0, 1), hours(6));
    await converse(sent.slice(298, 299), START);
    await converse(sent.slice(299, 300), new Date(hours(week).getTime() - 1));
    await converse(control.slice(0, 120), hours(30), { campaign_id: null });
    // Not counted: before, after, at another service number, of another tenant, and of somebody else.
    await converse(sent.slice(300, 310), new Date(START.getTime() - 1));
    await converse(sent.slice(310, 320), hours(week));
    await converse(control.slice(120, 130), hours(1), { service_number_id: 'sn-2' });
    await converse(control.slice(130, 140), hours(1), { tenant_id: 'b' });
    await converse(['stranger'], hours(1));
    const found = await lift();
    expect(found).to.deep.include({
      state: 'complete',
      windowDays: 7,
      from: START.toISOString(),
      until: hours(week).toISOString(),
    });
    const [conversation] = found.comparisons;
    expect(conversation?.measure).to.deep.equal({ type: 'conversation' });
    expect(conversation?.sent).to.deep.equal({ contacts: sent.length, converted: 300 });
    expect(conversation?.control).to.deep.equal({ contacts: control.length, converted: 120 });
    expect(conversation?.verdict).to.equal('higher');
    expect(conversation?.difference?.value).to.be.closeTo(300 / sent.length - 120 / control.length, 1e-9);
  });

  it('has a window of its own for each question, and says whether it is over', async () => {
    backend.setNow(hours(24));
    expect(measured(await lift('?windowDays=1'))).to.deep.equal({ conversation: [299, 0, 'too_few'] });
    expect((await lift('?windowDays=1')).state).to.equal('complete');
    expect((await lift('?windowDays=2')).state).to.equal('open');
    for (const wrong of ['0', '91', '1.5', 'x'])
      expect((await backend.call('GET', `/campaigns/${id}/lift?windowDays=${wrong}`)).status, wrong).to.equal(400);
  });

  it('compares tags, but none that only the campaign could lead to', async () => {
    backend.setNow(hours(8 * 24));
    await tag('Bought', [...sent.slice(0, 150), ...control.slice(0, 160)], hours(10));
    await tag('Bought before', sent.slice(0, 150), new Date(START.getTime() - 1));
    await tag('Clicked', sent.slice(0, 200), hours(10), { source_campaign_id: id });
    const given = await tag('Given to clickers', sent.slice(0, 200), hours(10));
    await post(`/campaigns/${id}/clicks:tag`, { tagId: given });
    expect(measured(await lift())).to.deep.equal({
      conversation: [300, 120, 'higher'],
      Bought: [150, 160, 'lower'],
    });
  });

  it('compares the ten tags that most contacts got', async () => {
    const names = Array.from({ length: 11 }, (_, n) => `Tag ${n}`);
    for (const [n, name] of names.entries()) await tag(name, sent.slice(0, n + 1), hours(20));
    const { comparisons } = await lift();
    const shown = comparisons.flatMap(({ measure }) => (measure.type === 'tag' ? [measure.name] : []));
    expect(shown).to.deep.equal(['Bought', ...names.slice(2).toReversed()]);
  });

  it('keeps its figures when a contact is erased, and a retry changes nothing', async () => {
    const before = measured(await lift())['conversation'];
    const admin = await backend.token('a', 'tenant_admin');
    const [erased = ''] = control;
    const response = await backend.call('POST', `/contacts/sn-1/${erased}:erase`, {
      token: admin,
      body: { reason: 'asked' },
    });
    expect(response.body, JSON.stringify(response.body)).to.include({ finished: true });
    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'rejected' });
    await backend.db('campaign').where({ campaign_id: id }).update({ status: 'failed' });
    await post(`/campaigns/${id}:retry-failed`);
    const [conversation] = (await lift()).comparisons;
    expect(measured(await lift())['conversation']).to.deep.equal(before);
    expect([conversation?.sent.contacts, conversation?.control.contacts]).to.deep.equal([sent.length, control.length]);
  });

  it('says that it is no longer known who was held back', async () => {
    await backend.db('dispatch').where({ campaign_id: id, number: 1 }).update({ recipients_deleted_at: START });
    expect(await lift()).to.deep.include({ state: 'deleted', comparisons: [] });
  });

  it('is read by whoever may read results, of the own tenant only', async () => {
    const get = (token: string) => backend.call('GET', `/campaigns/${id}/lift`, { token });
    expect((await get(await backend.token('a', 'viewer'))).status).to.equal(200);
    expect((await get(backend.foreign)).status).to.equal(404);
  });
});
