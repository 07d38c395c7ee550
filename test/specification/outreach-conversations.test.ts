import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import { call } from '../support/http/call.ts';
import { draftCampaign, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import type { WireCall } from '../support/http/wire.ts';
import { useWiredStack } from '../support/fixtures/stack.ts';

type Fields = Record<string, unknown>;

interface Envelope {
  eventId: string;
  eventType: string;
  scope: Fields;
  data: Fields & { contactId?: string; sessionId?: string };
}

interface Session {
  sessionId: string;
  sourceId: string;
  contactId: string;
}

const serviceNumberId = 'sn-talk';
const endsAt = '2040-01-01T00:00:00.000Z';
const card = (event: string) => ({
  type: 'buttons',
  title: 'Talk',
  text: 'to us',
  actions: [{ type: 'Postback', label: 'Talk', data: { event } }],
});

describe('S0: entry sources and conversations', () => {
  const stack = useWiredStack();
  let tenant: TestTenant;
  let outreach: Knex;
  let linked: Campaign;
  let linkedTask: SubTask;
  let other: Campaign;
  let plain: Campaign;
  let f1: WireCall[];
  let source: Fields;
  let sourceId: string;
  const tags: Record<string, string> = {};

  const contact = (index: number): string => tenant.contactIds[index] ?? '';
  const events = (eventType: string): Envelope[] =>
    stack.toBff
      .of('POST', /^\/webhook$/)
      .map(({ body }) => JSON.parse(body) as Envelope)
      .filter((event) => event.eventType === eventType);
  const sessionsOf = async (id: string): Promise<Session[]> =>
    (await tenant.sandbox.get<{ items: Session[] }>(`/sandbox/sessions?sourceId=${id}`)).items;
  const sourceAt = async (id: string): Promise<Fields | undefined> => {
    const { items } = await tenant.sandbox.get<{ items: Fields[] }>('/sandbox/entry-sources');
    return items.find((one) => one['sourceId'] === id);
  };
  const taggedWith = async (name: string): Promise<unknown[]> => {
    const rows: Fields[] = await outreach('tag_assignment').where({ tag_id: tags[name] }).orderBy('contact_id');
    return rows.map((row) => row['contactId']);
  };

  async function createRule(name: string, triggerEvent: string, matchCondition: object): Promise<void> {
    const tag = await tenant.api.post<{ tagId: string }>('/tags', { name, serviceNumberId, kind: 'permanent' });
    tags[name] = tag.tagId;
    await tenant.api.post('/smart-tag-rules', { name, triggerEvent, matchCondition, targetTagId: tag.tagId });
  }

  const click = async (task: SubTask | undefined, index: number) =>
    tenant.sandbox.post('/sandbox/clicks', { taskId: task?.taskId, contactId: contact(index) });

  before(async () => {
    outreach = stack.database.connect('outreach', 'owner');
    tenant = await installTenant(stack, { tenantId: 'talk', serviceNumberId, contacts: 4 });
    linked = await draftCampaign(tenant, { name: 'Linked', messages: [card('InboundReason')], endsAt });
    await createRule('opened', 'session.created', { field: 'entryReasonId', op: 'eq', value: linked.id });
    const long = { field: 'durationSeconds', op: 'gte', value: 60 };
    await createRule('long', 'session.closed', { all: [long, { field: 'messageCount', op: 'gt', value: 2 }] });
    await tenant.api.post(`/campaigns/${linked.id}:send`);
    const sent = await sendCampaign(tenant, { name: 'Other', messages: [card('InboundReason')] });
    other = sent.campaign;
    const plainly = await sendCampaign(tenant, { name: 'Plain', messages: [card('Broadcast')] });
    plain = plainly.campaign;
    linked = await eventually('the linked campaign is completed', async () => {
      const found = await tenant.api.get<Campaign>(`/campaigns/${linked.id}`);
      return found.status === 'completed' && found;
    });
    linkedTask = (await subTasksOf(tenant, linked.id))[0] as SubTask;
    f1 = stack.toPlatform.of('POST', /\/entry-sources$/);
    const created = f1.find(({ body }) => body.includes(linked.id));
    source = JSON.parse(created?.body ?? '{}') as Fields;
    sourceId = (JSON.parse(created?.response ?? '{}') as { sourceId: string }).sourceId;
    await click(linkedTask, 0);
    await click(linkedTask, 1);
    await click(sent.tasks[0], 2);
    await click(plainly.tasks[0], 3);
    const [first, second] = await eventually('both conversations are opened', async () => {
      const found = await sessionsOf(sourceId);
      return found.length === 2 && found;
    });
    const close = (session: Session | undefined, summary: object) =>
      tenant.sandbox.post(`/sandbox/sessions/${session?.sessionId}:close`, summary);
    await close(first, { durationSeconds: 90, messageCount: 3, agentId: 'agent-7' });
    await close(second, { durationSeconds: 90, messageCount: 2 });
    await eventually('all of it is handled', async () => {
      const open: unknown[] = await outreach('event_inbox').whereNot({ status: 'processed' });
      const conversations: Fields[] = await outreach('conversation');
      const closed = conversations.filter((row) => row['closedAt'] !== null);
      const clicks: unknown[] = await outreach('click_attribution');
      return open.length === 0 && conversations.length === 3 && closed.length === 2 && clicks.length === 4;
    });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('S0-EN1: F1 is called once for a campaign that opens conversations, before it is sent; it returns sourceId', () => {
    expect(f1.map(({ path, status }) => [path, status])).to.deep.equal(
      [1, 2].map(() => ['/openapi/v1/entry-sources', 201]),
    );
    expect(f1.filter(({ body }) => body.includes(plain.id))).to.deep.equal([]);
    const { calls } = stack.toPlatform;
    const a1 = calls.findIndex(({ path, body }) => path.endsWith('/broadcasts') && body.includes(linked.id));
    expect(
      calls.findIndex(({ path, body }) => path.endsWith('/entry-sources') && body.includes(linked.id)),
    ).to.be.lessThan(a1);
    expect(calls[a1]?.body).to.contain(sourceId);
    expect(linked.sourceId).to.equal(sourceId);
  });

  it('S0-ES1: name equals the campaign’s', () => expect(source['name']).to.equal('Linked'));

  it('S0-ES2: reason.type is activity', () => expect(source['reason']).to.include({ type: 'activity' }));

  it('S0-ES3: reason.id is the campaignId', () => expect(source['reason']).to.include({ id: linked.id }));

  it('S0-ES4: reason.data has appId and campaignId', () =>
    expect((source['reason'] as Fields)['data']).to.deep.equal({ appId: 'outreach', campaignId: linked.id }));

  it('S0-ES5: channels name the service number, which is not in the path', () => {
    expect(source['channels']).to.deep.equal([{ channel: 'default', serviceNumberId }]);
    expect(f1[0]?.path).to.not.contain(serviceNumberId);
  });

  it('S0-ES6: expiresAt is the campaign’s end, and absent if it has none', () => {
    expect(source['expiresAt']).to.equal(endsAt);
    const endless = f1.find(({ body }) => body.includes(other.id));
    expect(JSON.parse(endless?.body ?? '')).to.not.have.property('expiresAt');
  });

  it('S0-ES7: webhook.url is the BFF’s only webhook address', () =>
    expect((source['webhook'] as Fields)['url']).to.equal(`${stack.toBff.address}/webhook`));

  it('S0-ES8: webhook.events are session.created and session.closed', () =>
    expect((source['webhook'] as Fields)['events']).to.have.members(['session.created', 'session.closed']));

  it('S0-R3: contact.*, notice.* and session.* events all go to one webhookUrl', async () => {
    const { webhookUrl } = await tenant.api.get<{ webhookUrl: string }>('/integration');
    expect(webhookUrl).to.equal(`${stack.toBff.address}/webhook`);
    type Deliveries = { items: { url: string; eventType: string; status: string }[] };
    const items = await eventually('the platform has a 200 for each', async () => {
      const { items: found } = await tenant.sandbox.get<Deliveries>('/sandbox/deliveries');
      return found.every(({ status }) => status === 'delivered') && found;
    });
    expect(new Set(items.map(({ eventType }) => eventType.split('.')[0]))).to.deep.equal(
      new Set(['contact', 'notice', 'session']),
    );
    expect(new Set(items.map(({ url, status }) => `${url} ${status}`))).to.deep.equal(
      new Set([`${webhookUrl} delivered`]),
    );
  });

  it('S0-EVR1: Broadcast causes only notice.clicked; InboundReason causes session.created as well', () => {
    const clicked = events('notice.clicked').map(({ data }) => data.contactId);
    expect(clicked.toSorted()).to.deep.equal([0, 1, 2, 3].map(contact));
    const opened = events('session.created').map(({ data }) => data.contactId);
    expect(opened.toSorted()).to.deep.equal([0, 1, 2].map(contact));
  });

  it('S0-EVR2: the BFF distinguishes session.* from notice.* by eventType alone: same address, each handled by its type', async () => {
    const inbox = (await outreach('event_inbox').where({ tenant_id: 'talk', status: 'processed' })) as Fields[];
    const kinds = inbox.map((row) => String(row['eventType'])).filter((type) => !type.startsWith('contact.'));
    const expected = { 'notice.clicked': 4, 'session.created': 3, 'session.closed': 2 };
    for (const [type, count] of Object.entries(expected)) {
      expect(
        kinds.filter((kind) => kind === type),
        type,
      ).to.have.length(count);
    }
    expect(kinds).to.have.length(9);
    expect(await outreach('conversation')).to.have.length(3);
  });

  it('S0-EV2: session.created has sessionId, sourceId, contactId, channel and entryReason, whose id is the campaign', async () => {
    const event = events('session.created').find(({ data }) => data.contactId === contact(0));
    const { sessionId, ...data } = event?.data ?? {};
    expect(data).to.deep.equal({
      sourceId,
      contactId: contact(0),
      serviceNumberId,
      channel: 'default',
      entryReason: { ...(source['reason'] as Fields), name: 'Linked' },
    });
    const row = (await outreach('conversation').where({ session_id: sessionId }).first()) as Fields;
    expect(row).to.include({ campaignId: linked.id, sourceId: sourceId, contactId: contact(0), channel: 'default' });
  });

  it('S0-EV3: session.closed has sessionId, sourceId, closedAt and the summary', async () => {
    const [session] = await sessionsOf(sourceId);
    const event = events('session.closed').find(({ data }) => data.sessionId === session?.sessionId);
    expect(event?.data).to.deep.include({ sourceId, summary: { duration: 90, messageCount: 3, agentId: 'agent-7' } });
    const row = (await outreach('conversation').where({ session_id: session?.sessionId }).first()) as Fields;
    expect(row).to.include({ durationSeconds: 90, messageCount: 3 });
    expect((row['closedAt'] as Date).toISOString()).to.equal(event?.data['closedAt']);
  });

  it('S0-TR3: a rule for session.created tags who opened a conversation of the campaign in entryReason.id', async () => {
    expect(await taggedWith('opened')).to.deep.equal([contact(0), contact(1)]);
  });

  it('S0-TR4: a rule for session.closed matches summary.duration and summary.messageCount', async () => {
    expect(await taggedWith('long')).to.deep.equal([contact(0)]);
  });

  it('S0-RC7: campaign has id, name, serviceNumberId, status, and sourceId if a Postback opens conversations', async () => {
    const rows = (await outreach('campaign')) as Fields[];
    const facts = new Map(rows.map((row) => [row['campaignId'], row]));
    expect(facts.get(linked.id)).to.include({
      name: 'Linked',
      serviceNumberId: serviceNumberId,
      status: 'completed',
      sourceId: sourceId,
    });
    expect(facts.get(plain.id)).to.include({ name: 'Plain', status: 'completed', sourceId: null });
    // A superseded column: each Postback now says so itself.
    expect(Object.keys(facts.get(linked.id) ?? {})).to.not.include('inbound_reason_mode');
  });

  it('S0-EN2: F2 sends the platform another name and end, and the extension data of F1', async () => {
    const person = { sub: 'ada', name: 'Ada', tenantId: 'talk', roles: ['tenant_admin'] };
    const token = await sandboxToken(tenant.sandbox, person);
    const later = '2041-02-03T04:05:06.000Z';
    const changed = await call('PATCH', `${stack.addresses.bff}/api/v1/campaigns/${linked.id}`, {
      token,
      body: { name: 'Renamed', endsAt: later },
      headers: { 'If-Match': '*' },
    });
    expect(changed.status).to.equal(200);
    await eventually('the platform knows', async () => (await sourceAt(sourceId))?.['name'] === 'Renamed');
    const [f2] = stack.toPlatform.of('PUT', /\/entry-sources\//);
    expect(f2?.path).to.equal(`/openapi/v1/entry-sources/${sourceId}`);
    expect(JSON.parse(f2?.body ?? '')).to.deep.equal({
      name: 'Renamed',
      reason: { data: (source['reason'] as Fields)['data'] },
      expiresAt: later,
    });
    expect(await sourceAt(sourceId)).to.deep.include({ reason: source['reason'], expiresAt: later, status: 'active' });
  });

  it('S0-EN3, S0-ST5: F3 makes the source inactive when the campaign ends, and it no longer opens conversations', async () => {
    await tenant.api.post(`/campaigns/${linked.id}:close`);
    await eventually('the source is inactive', async () => (await sourceAt(sourceId))?.['status'] === 'inactive');
    const f3 = await eventually('F3 has a response', () => {
      const found = stack.toPlatform.of('PUT', /\/status$/);
      return found.every(({ respondedAt }) => respondedAt !== null) && found;
    });
    expect(f3.map(({ path, body, status }) => [path, body, status])).to.deep.equal([
      [`/openapi/v1/entry-sources/${sourceId}/status`, '{"status":"inactive"}', 200],
    ]);
    const otherSource = String((await tenant.api.get<Campaign>(`/campaigns/${other.id}`)).sourceId);
    expect(await sourceAt(otherSource)).to.include({ status: 'active' });
    await click(linkedTask, 3);
    await eventually('the click has arrived', () => events('notice.clicked').length === 5);
    expect(await sessionsOf(sourceId)).to.have.length(2);
  });
});
