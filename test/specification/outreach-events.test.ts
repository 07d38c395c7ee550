import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Campaign, Results, SubTask } from '#domain/api/campaign.ts';
import type { Rule } from '#domain/api/rules.ts';
import { createNonce } from '#domain/signature.ts';
import { signedCall, type SignedCallOptions, type TestIntegration } from '../support/services/bff.ts';
import { call } from '../support/http/call.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

type Fields = Record<string, unknown>;

interface Click {
  noticeId: string;
  eventId: string;
  clickedAt: string;
}

const serviceNumberId = 'sn-events';
const message = {
  type: 'buttons',
  title: 'Coupon',
  text: 'for you',
  actions: [
    { type: 'Postback', label: 'Claim', data: { bizEventCode: 'coupon' } },
    { type: 'Postback', label: 'Later', data: { bizEventCode: 'later' } },
    { type: 'Url', label: 'Menu', url: 'https://menu.example/winter' },
    { type: 'Url', label: 'Map', url: 'https://map.example/here' },
  ],
};

describe('S0: events and smart tags', () => {
  const stack = useWiredStack();
  let tenant: TestTenant;
  let outreach: Knex;
  let signer: TestIntegration;
  let campaign: Campaign;
  let task: SubTask;
  const tags: Record<string, string> = {};
  const rules: Record<string, string> = {};

  const contact = (index: number): string => tenant.contactIds[index] ?? '';
  const inbox = async (eventId: string): Promise<Fields[]> =>
    await outreach('event_inbox').where({ event_id: eventId });
  const assignments = async (name: string): Promise<Fields[]> =>
    await outreach('tag_assignment').where({ tag_id: tags[name] }).orderBy('contact_id');
  const taggedWith = async (name: string) => (await assignments(name)).map((row) => row['contactId']);
  const processed = (eventId: string) =>
    eventually('the event is handled', async () => {
      const [row] = await inbox(eventId);
      return row?.['status'] === 'processed' && row;
    });
  const webhook = (body: object, options: SignedCallOptions = {}, by = signer) =>
    signedCall({ url: stack.addresses.bff }, '/webhook', by, body, options);
  const event = (data: Fields = {}, eventType = 'contact.updated') => ({
    eventId: randomUUID(),
    eventType,
    occurredAt: new Date().toISOString(),
    scope: { serviceNumberId },
    data: { contactId: contact(5), serviceNumberId, ...data },
  });

  async function createRule(name: string, matchCondition: object): Promise<void> {
    const { tagId } = await tenant.api.post<{ tagId: string }>('/tags', { name, serviceNumberId, kind: 'permanent' });
    const body = { name, triggerEvent: 'notice.clicked', matchCondition, targetTagId: tagId };
    tags[name] = tagId;
    rules[name] = (await tenant.api.post<Rule>('/smart-tag-rules', body)).ruleId;
  }

  async function click(index: number, actionIndex: number): Promise<Click> {
    const body = { taskId: task.taskId, contactId: contact(index), actionIndex };
    const { items } = await tenant.sandbox.post<{ items: Click[] }>('/sandbox/clicks', body);
    const [made] = items;
    if (!made) throw new Error('no click was made');
    await processed(made.eventId);
    return made;
  }

  before(async () => {
    outreach = stack.database.connect('outreach', 'owner');
    tenant = await installTenant(stack, { tenantId: 'events', serviceNumberId, contacts: 6 });
    signer = await signerOf(tenant);
    ({
      campaign,
      tasks: [task],
    } = (await sendCampaign(tenant, { messages: [message] })) as { campaign: Campaign; tasks: [SubTask] });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-IN3: /webhook takes a signed envelope with a nonce, and returns 200 for the first and for a duplicate', async () => {
    const one = event();
    const responses = [await webhook(one), await webhook(one)];
    expect(responses.map(({ status, body }) => [status, body])).to.deep.equal(
      [1, 2].map(() => [200, { received: true }]),
    );
    expect(await inbox(one.eventId)).to.have.length(1);
    const nonce = createNonce();
    const other = event();
    expect((await webhook(other, { secret: 'not-the-secret-of-this-integration' })).status).to.equal(401);
    expect((await webhook({ ...other, eventType: undefined }, { nonce })).status).to.equal(400);
    expect((await webhook(other, { nonce: 'none' })).status).to.equal(401);
    const unsigned = await call('POST', `${stack.addresses.bff}/webhook`, { body: other });
    expect(unsigned.status).to.equal(401);
    expect(await inbox(other.eventId)).to.deep.equal([]);
  });

  it('S0-RC2: event_inbox has one row per (tenantIntegrationId, eventId), with type, payload, time and status', async () => {
    const sent = Date.now();
    const one = event({ displayName: 'Ann', attributes: { n: 1 } });
    await webhook(one);
    const row = await processed(one.eventId);
    expect(row).to.include({ tenantIntegrationId: signer.tenantIntegrationId, eventType: 'contact.updated' });
    expect(JSON.parse(String(row['payload']))).to.deep.equal(one.data);
    expect((row['receivedAt'] as Date).getTime()).to.be.within(sent - 1000, Date.now() + 1000);
    const other = await installTenant(stack, { tenantId: 'others', serviceNumberId: 'sn-others', contacts: 1 });
    const scope = { serviceNumberId: 'sn-others' };
    const data = { contactId: 'x', serviceNumberId: 'sn-others' };
    await webhook({ ...one, scope, data }, {}, await signerOf(other));
    expect(await inbox(one.eventId)).to.have.length(2);
  });

  it('S0-ST3: a new event becomes stored, and its flow starts', async () => {
    const early = event(
      {
        taskId: 'task-unknown',
        noticeId: 'n',
        actionIndex: 0,
        action: { type: 'Url' },
        clickedAt: new Date().toISOString(),
      },
      'notice.clicked',
    );
    expect(await inbox(early.eventId)).to.deep.equal([]);
    await webhook(early);
    const row = await eventually('its flow has looked at it', async () => {
      const [found] = await inbox(early.eventId);
      return found?.['waitingFor'] === 'task:task-unknown' && found;
    });
    // Its context is missing, so it keeps this status; others are handled at once.
    expect(row).to.include({ status: 'stored', processedAt: null });
    const usual = event({ displayName: 'Started' });
    await webhook(usual);
    await processed(usual.eventId);
    const profile: Fields | undefined = await outreach('contact_profile')
      .where({ contact_id: contact(5) })
      .first();
    expect(profile).to.include({ displayName: 'Started' });
  });

  it('S0-ST4: a duplicate event changes nothing, and gets a 200', async () => {
    const one = event({ displayName: 'First' });
    await webhook(one);
    const before = await processed(one.eventId);
    const again = await webhook({ ...one, data: { ...one.data, displayName: 'Second' } });
    expect(again.status).to.equal(200);
    const marker = event({}, 'contact.followed');
    await webhook(marker);
    await processed(marker.eventId);
    expect(await inbox(one.eventId)).to.deep.equal([before]);
    const profile: Fields | undefined = await outreach('contact_profile')
      .where({ contact_id: contact(5) })
      .first();
    expect(profile).to.include({ displayName: 'First' });
  });

  it('S0-EVR5: label changes are discarded: they get a 200, and are never in event_inbox', async () => {
    for (const eventType of ['label.added', 'label.removed', 'label.changed']) {
      const one = event({ labels: ['gold'] }, eventType);
      const { status, body } = await webhook(one);
      expect([status, body]).to.deep.equal([200, { received: true, ignored: true }]);
      expect(await inbox(one.eventId)).to.deep.equal([]);
    }
  });

  it('S0-TR1: a click on a Postback is tagged by its bizEventCode and campaignId', async () => {
    const code = { field: 'bizEventCode', op: 'eq', value: 'coupon' };
    await createRule('claimed', { all: [code, { field: 'campaignId', op: 'eq', value: campaign.id }] });
    await createRule('elsewhere', { all: [code, { field: 'campaignId', op: 'eq', value: 'another-campaign' }] });
    await click(0, 0);
    await click(1, 1);
    expect(await taggedWith('claimed')).to.deep.equal([contact(0)]);
    expect(await taggedWith('elsewhere')).to.deep.equal([]);
  });

  it('S0-TR2: a click on a Url is tagged by (noticeId, actionIndex) and by a pattern of its Url', async () => {
    const { noticeId } = await click(2, 3);
    await createRule('menu', { field: 'url', op: 'glob', value: 'https://menu.example/*' });
    const place = [
      { field: 'noticeId', op: 'eq', value: noticeId },
      { field: 'actionIndex', op: 'eq', value: 2 },
    ];
    await createRule('placed', { all: place });
    await click(2, 3);
    expect([await taggedWith('menu'), await taggedWith('placed')]).to.deep.equal([[], []]);
    await click(2, 2);
    await click(3, 2);
    expect(await taggedWith('menu')).to.deep.equal([contact(2), contact(3)]);
    expect(await taggedWith('placed')).to.deep.equal([contact(2)]);
  });

  it('S0-EVR4: a click is routed by bizEventCode and campaignId: attributed, counted and tagged', async () => {
    const { eventId } = await click(4, 0);
    const row: Fields | undefined = await outreach('click_attribution').where({ event_id: eventId }).first();
    expect(row).to.include({ campaignId: campaign.id, bizEventCode: 'coupon', contactId: contact(4) });
    const { clicks, tagged } = await tenant.api.get<Results>(`/campaigns/${campaign.id}/results`);
    expect(clicks.byBizEventCode).to.deep.include({ bizEventCode: 'coupon', clicks: 2, uniqueContacts: 2 });
    expect(tagged).to.deep.include({ tagId: tags['claimed'], contacts: 2 });
    expect(await taggedWith('claimed')).to.deep.equal([contact(0), contact(4)]);
  });

  it('S0-FL6: handle_notice_clicked writes click_attribution for an event the first time, and not again', async () => {
    const { eventId } = await click(5, 0);
    const rows = async (): Promise<Fields[]> =>
      await outreach('click_attribution').where({ contact_id: contact(5), action_index: 0 });
    expect((await rows()).map((row) => [row['eventId'], row['repeats']])).to.deep.equal([[eventId, 0]]);
    const [stored] = await inbox(eventId);
    const data = JSON.parse(String(stored?.['payload'])) as Fields;
    const repeated = { ...event({}, 'notice.clicked'), data };
    await webhook({ ...repeated, eventId });
    await webhook(repeated);
    await processed(repeated.eventId);
    // Another event for the same click is a repeat; a duplicate of the event is ignored.
    expect((await rows()).map((row) => [row['eventId'], row['repeats']])).to.deep.equal([[eventId, 1]]);
  });

  it('S0-AR4: smart labelling takes only stored events: each tag names one, and an event that is not stored tags nobody', async () => {
    for (const row of [...(await assignments('claimed')), ...(await assignments('menu'))]) {
      const [stored] = await inbox(String(row['sourceEventId']));
      expect(stored).to.include({ status: 'processed', eventType: 'notice.clicked' });
    }
    const before = await taggedWith('claimed');
    const [from] = await assignments('claimed');
    const [stored] = await inbox(String(from?.['sourceEventId']));
    const data = { ...(JSON.parse(String(stored?.['payload'])) as Fields), contactId: contact(3) };
    const one = { ...event({}, 'notice.clicked'), data };
    expect((await webhook(one, { secret: 'not-the-secret-of-this-integration' })).status).to.equal(401);
    const marker = event();
    await webhook(marker);
    await processed(marker.eventId);
    expect(await taggedWith('claimed')).to.deep.equal(before);
    await webhook(one);
    await processed(one.eventId);
    expect(await taggedWith('claimed')).to.deep.equal([...before, contact(3)].toSorted());
  });

  it('S0-RC10: tag_assignment has one row per tag and contact, with assignedAt and its origin, which is empty if given manually', async () => {
    const [smart] = await assignments('claimed');
    expect(smart).to.include({
      contactId: contact(0),
      sourceRuleId: rules['claimed'],
      sourceCampaignId: campaign.id,
      sourceTaskId: task.taskId,
      sourceActionIndex: 0,
      sourceBizEventCode: 'coupon',
    });
    await tenant.api.post(`/tags/${tags['elsewhere']}/assignments`, { contactIds: [contact(1), contact(1)] });
    await tenant.api.post(`/tags/${tags['elsewhere']}/assignments`, { contactIds: [contact(1)] });
    const byHand = await assignments('elsewhere');
    expect(byHand).to.have.length(1);
    const sources = Object.entries(byHand[0] ?? {}).filter(([name]) => name.startsWith('source'));
    expect(sources.map(([, value]) => value)).to.deep.equal(sources.map(() => null));
    expect(sources.length).to.be.at.least(5);
    expect(byHand[0]?.['assignedAt']).to.be.an.instanceOf(Date);
  });

  it('S0-RC11: smart_tag_rule has trigger, condition, tag, status, lastExecutedAt and hitCount', async () => {
    const row: Fields | undefined = await outreach('smart_tag_rule').where({ rule_id: rules['menu'] }).first();
    expect(row).to.deep.include({
      triggerEvent: 'notice.clicked',
      matchCondition: { field: 'url', op: 'glob', value: 'https://menu.example/*' },
      targetTagId: tags['menu'],
      status: 'active',
      hitCount: 2,
    });
    const times = (await assignments('menu')).map(({ assignedAt: at }) => (at as Date).getTime());
    expect(row?.['lastExecutedAt']).to.deep.equal(new Date(Math.max(...times)));
    const unused: Fields | undefined = await outreach('smart_tag_rule').where({ rule_id: rules['elsewhere'] }).first();
    expect(unused).to.include({ hitCount: 0, lastExecutedAt: null });
    const body = { name: 'Any', matchCondition: { all: [] }, targetTagId: tags['menu'], status: 'paused' };
    for (const triggerEvent of ['session.created', 'session.closed'])
      await tenant.api.post('/smart-tag-rules', { ...body, triggerEvent });
    await tenant.api.post('/smart-tag-rules', { ...body, triggerEvent: 'no_response_for_N_days', days: 3 });
    const unknown = await tenant.api
      .post('/smart-tag-rules', { ...body, triggerEvent: 'notice.delivered' })
      .catch(String);
    expect(unknown).to.contain('400');
  });
});
