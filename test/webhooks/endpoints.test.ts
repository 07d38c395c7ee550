import { expect } from 'chai';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { rows } from '#db/database.ts';
import { outgoingEventSchema } from '#domain/api/outgoing-events.ts';
import { MAX_ENDPOINTS, outgoingEventTypes } from '#domain/api/webhook.ts';
import { deleteExpiredRows } from '#commands/outreach/retention/delete-expired-rows.ts';
import { type Receiver, startReceiver, verified } from '../orders/support/merchant-receiver.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { eventCommand, inboxOf } from '../support/outreach/inbox-events.ts';
import { eventually } from '../support/time/eventually.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

interface Listed {
  items: { eventId: string; type: string; timestamp: string; data: Record<string, unknown> }[];
  nextCursor: string | null;
}

describe('the endpoints of a tenant', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;
  let second: Receiver;

  beforeEach(async () => {
    site = await openEventSite(backend);
    second = await startReceiver();
  });
  afterEach(async () => {
    await site.close();
    await second.close();
  });

  const url = 'https://receiver.example/hook';
  const add = (body: object = {}) =>
    site.call('POST', '/webhook-endpoints', { url, eventTypes: ['campaign.sent'], ...body });
  const at = (endpointId: string, action = '') => `/webhook-endpoints/${endpointId}${action}`;
  const list = async (query = ''): Promise<Listed> => (await site.call('GET', `/events${query}`)).body;
  const types = ({ items }: Listed) => items.map(({ type }) => type);

  async function ended(chunks = [2]) {
    const send = await site.seedSend({ chunks });
    await site.submit(send);
    await site.due(send);
    await site.poll(send);
    return send;
  }
  const click = (campaignId: string, ...contactIds: string[]) =>
    Promise.all(
      contactIds.map((contactId) =>
        rows(
          backend.db,
          `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
           values (:tenantId, 't', :contactId, 'n', 0, :campaignId, :contactId, now())`,
          { tenantId: site.tenantId, campaignId, contactId },
        ),
      ),
    );
  /** What collects contacts has done so for long enough. */
  const closed = () =>
    rows(
      backend.db,
      `update outgoing_event set created_at = created_at - interval '3 seconds' where tenant_id = :tenantId and position is null`,
      { tenantId: site.tenantId },
    );

  it('are ten at most, each with a secret of its own; /webhook is the oldest', async () => {
    const first = (await site.call('PUT', '/webhook', { url, eventTypes: ['campaign.sent'] })).body;
    const made = await Promise.all(Array.from({ length: MAX_ENDPOINTS + 1 }, () => add()));
    expect(made.map(({ status }) => status).toSorted()).to.deep.equal([...Array(9).fill(201), 409, 409]);
    const refused = made.find(({ status }) => status === 409);
    expect(refused?.body.code).to.equal('conflict');
    const { items } = (await site.call('GET', '/webhook-endpoints')).body;
    expect(items).to.have.length(MAX_ENDPOINTS);
    expect(items[0].endpointId).to.equal(first.endpointId);
    expect((await site.call('GET', '/webhook')).body.webhook).to.deep.equal(items[0]);
    const secrets = new Set([first, ...made.map(({ body }) => body)].flatMap(({ secret }) => secret ?? []));
    expect(secrets.size).to.equal(MAX_ENDPOINTS);
    await site.call('DELETE', '/webhook');
    expect((await site.call('GET', '/webhook')).body.webhook).to.deep.equal(items[1]);
    expect((await add()).status).to.equal(201);
  });

  it('each get the types that they want, with the same id, signed by their own secret', async () => {
    const secret = await site.configure(['campaign.sent', 'campaign.completed']);
    const other = (await add({ url: second.url, eventTypes: ['campaign.completed'] })).body;
    await ended();
    site.startRelay();
    await site.settled();
    expect(site.read(secret).map(({ type }) => type)).to.deep.equal(['campaign.sent', 'campaign.completed']);
    expect(second.received.map((one) => verified(other.secret, one)['type'])).to.deep.equal(['campaign.completed']);
    expect(second.received[0]?.eventId).to.equal(site.receiver.received[1]?.eventId);
    const log = (await site.call('GET', at(other.endpointId, '/deliveries'))).body.items;
    expect(log.map(({ type, status }: Record<string, unknown>) => [type, status])).to.deep.equal([
      ['campaign.completed', 'delivered'],
    ]);
  });

  it('wait for none of each other: one that is away holds nothing back at the others', async () => {
    await site.configure(['campaign.sent', 'campaign.completed']);
    await add({ url: second.url, eventTypes: ['campaign.sent', 'campaign.completed'] });
    site.receiver.state.respond = (_, response) => void response.writeHead(500).end();
    await ended();
    site.startRelay();
    await eventually('the other got both', () => Promise.resolve(second.received.length === 2));
    expect(new Set(site.receiver.received.map(({ event }) => event['type']))).to.deep.equal(new Set(['campaign.sent']));
  });

  it('are paused after a day of failures, of three at least, and get what waited once they are active again', async () => {
    await site.configure(['campaign.sent', 'campaign.completed']);
    site.receiver.state.respond = (_, response) => void response.writeHead(500).end();
    await ended();
    site.startRelay();
    const { endpointId } = (await site.call('GET', '/webhook')).body.webhook;
    const row = () => backend.db('webhook').where({ endpoint_id: endpointId }).first();
    await eventually('it failed twice', async () => (await row()).failures >= 2 && (await site.hurry()));
    expect((await row()).pausedFor).to.equal(null);
    await backend
      .db('webhook')
      .where({ endpoint_id: endpointId })
      .update({ failing_since: new Date(Date.now() - 86_400_000) });
    const paused = await eventually('it is paused', async () => {
      await site.hurry();
      const { webhook } = (await site.call('GET', '/webhook')).body;
      return webhook.status === 'paused' && webhook;
    });
    expect(paused.pauseReason).to.equal('failing');
    const attempts = site.receiver.received.length;
    await site.hurry();
    site.receiver.state.respond = (_, response) => void response.writeHead(200).end();
    await ended();
    expect(site.receiver.received).to.have.length(attempts);
    const resumed = await site.call('PATCH', at(endpointId), { status: 'active' });
    expect(resumed.body).to.include({ status: 'active', pauseReason: null });
    expect(resumed.body.etag).to.not.equal(paused.etag);
    await site.hurry();
    await site.settled();
    const got = site.receiver.received.slice(attempts).map(({ event }) => event['type']);
    expect(got.toSorted()).to.deep.equal([
      'campaign.completed',
      'campaign.completed',
      'campaign.sent',
      'campaign.sent',
    ]);
    expect(await row()).to.deep.include({ failures: 0, failingSince: null });
  });

  it('are changed by whoever has read them, found by nobody else, and in the audit log by their ids', async () => {
    const { body: made } = await add();
    const stale = await backend.call('PATCH', at(made.endpointId), {
      token: await site.as(),
      body: { status: 'paused' },
      headers: { 'If-Match': '"another"' },
    });
    expect([stale.status, stale.body.code]).to.deep.equal([412, 'stale']);
    const paused = await site.call('PATCH', at(made.endpointId), { status: 'paused', eventTypes: ['contact.tagged'] });
    expect(paused.body).to.deep.include({
      status: 'paused',
      pauseReason: 'operator',
      eventTypes: ['contact.tagged'],
      url,
    });
    const other = await openEventSite(backend);
    try {
      for (const [method, action, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { status: 'active' }],
        ['DELETE', '', undefined],
        ['POST', ':test', {}],
        ['POST', ':rotate-secret', {}],
        ['GET', '/deliveries', undefined],
      ] as const)
        expect((await other.call(method, at(made.endpointId, action), body)).status, `${method} ${action}`).to.equal(
          404,
        );
    } finally {
      await other.close();
    }
    expect((await site.call('DELETE', at(made.endpointId))).status).to.equal(204);
    const { items } = (await site.call('GET', `/audit-log?objectType=webhook&objectId=${made.endpointId}`)).body;
    expect(items.map(({ action }: { action: string }) => action)).to.deep.equal([
      'webhook.delete',
      'webhook.set',
      'webhook.set',
    ]);
  });

  it('list what was sent to them, in the same words, in one order, from where a reader was', async () => {
    const secret = await site.configure(outgoingEventTypes);
    const [one] = [await ended(), await ended()];
    await click(one.campaignId, 'ann', 'ben');
    site.startRelay();
    await site.hurry();
    await site.settled();
    const all = await list();
    const sent = site.receiver.received.map((received) => ({
      eventId: received.eventId,
      ...verified(secret, received),
    }));
    const byId = (items: { eventId: string }[]) => items.toSorted((a, b) => a.eventId.localeCompare(b.eventId));
    expect(byId(all.items)).to.deep.equal(byId(sent as never));
    expect(all.nextCursor).to.equal(null);
    for (const { eventId: _id, ...event } of all.items) outgoingEventSchema.parse(event);
    const read: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const part: Listed = await list(`?limit=2${after && `&after=${after}`}`);
      read.push(...part.items.map(({ eventId }) => eventId));
      after = part.nextCursor;
    }
    expect(read).to.deep.equal(all.items.map(({ eventId }) => eventId));
    expect(types(await list('?type=contact.clicked&type=campaign.sent')).toSorted()).to.deep.equal([
      'campaign.sent',
      'campaign.sent',
      'contact.clicked',
    ]);
  });

  it('are not needed to read events, which are written from the first read on', async () => {
    await ended();
    expect((await list()).items).to.deep.equal([]);
    const send = await ended();
    const { items } = await list();
    expect(types({ items, nextCursor: null })).to.deep.equal(['campaign.sent', 'campaign.completed']);
    expect(items[0]?.data['campaignId']).to.equal(send.campaignId);
  });

  it('never show an event before one that was read, however late it is committed', async () => {
    await list();
    const send = await site.seedSend({ chunks: [1] });
    const late = await backend.db.transaction();
    await late('campaign')
      .where({ campaign_id: send.campaignId })
      .update({ finished_at: new Date(), status: 'completed' });
    const other = await ended();
    const before = await list();
    expect(before.items.map(({ data }) => data['campaignId'])).to.deep.equal([other.campaignId, other.campaignId]);
    await late.commit();
    const after = await list(`?after=${before.items.at(-1)?.eventId}`);
    expect(after.items.map(({ data }) => data['campaignId'])).to.deep.equal([send.campaignId]);
  });

  it('show an event that collects contacts once it is whole, and never change it afterwards', async () => {
    await list();
    const send = await site.seedSend({ chunks: [1] });
    await click(send.campaignId, 'ann');
    expect((await list('?type=contact.clicked')).items).to.deep.equal([]);
    await closed();
    const adding = await backend.db.transaction();
    await adding.raw(
      `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
       values (?, 't', 'ben', 'n', 0, ?, 'ben', now())`,
      [site.tenantId, send.campaignId],
    );
    expect((await list('?type=contact.clicked')).items, 'somebody is adding to it').to.deep.equal([]);
    await adding.commit();
    const { items } = await list('?type=contact.clicked');
    expect(items[0]?.data['clicks']).to.have.length(2);
    await click(send.campaignId, 'cat');
    await closed();
    const [same, next] = (await list('?type=contact.clicked')).items;
    expect(same).to.deep.equal(items[0]);
    expect(next?.data['clicks']).to.have.length(1);
  });

  it('say that a reader has been away for too long, and forget what is older than 30 days', async () => {
    await list();
    await ended();
    const [first] = (await list()).items;
    const unknown = await site.call('GET', '/events?after=00000000-0000-4000-8000-000000000000');
    expect([unknown.status, unknown.body.code]).to.deep.equal([410, 'gone']);
    const old = { created_at: new Date(Date.now() - 31 * 86_400_000) };
    await backend.db('outgoing_event').where({ event_id: first?.eventId }).update(old);
    expect((await site.call('GET', `/events?after=${first?.eventId}`)).status).to.equal(410);
    expect((await list()).items).to.have.length(1);
    const kept = { events: 90, recipients: 400, timeline: 400, audit: 1095, uninstalled: null };
    while ((await deleteExpiredRows(backend.db, kept, new Date())) > 0);
    expect(await backend.db('outgoing_event').where({ tenant_id: site.tenantId })).to.have.length(1);
  });

  it('are told of schedules, pauses, approvals, cancels, conversations, contacts that leave, and uploads', async () => {
    await list();
    const { tenantId } = site;
    const send = await site.seedSend({ chunks: [2], at: new Date(Date.now() + 3_600_000) });
    const set = (values: object) => backend.db('campaign').where({ campaign_id: send.campaignId }).update(values);
    await set({ status: 'draft' });
    await set({ status: 'scheduled' });
    await site.call('POST', `/campaigns/${send.campaignId}:pause`);
    await backend.db('send_approval').insert({
      approval_id: 'a-1',
      tenant_id: tenantId,
      campaign_id: send.campaignId,
      contacts: 2,
      above: 1,
      asked_for: 'contacts',
      requested_by: 'ann',
      requested_at: new Date(),
    });
    await site.call('POST', `/campaigns/${send.campaignId}:cancel`);
    await rows(
      backend.db,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       values (:tenantId, 'sn-1', 'ann', 'following', now())`,
      { tenantId },
    );
    await backend.db('contact_profile').where({ tenant_id: tenantId }).update({ follow_state: 'unfollowed' });
    const inbox = inboxOf(backend.db);
    const session = { sessionId: 's-1', contactId: 'ann', serviceNumberId: 'sn-1' };
    await inbox.store(
      eventCommand(site.tenant, 'session.created', { ...session, channel: 'web', createdAt: '2026-03-01T10:00:00Z' }),
      eventCommand(site.tenant, 'session.closed', {
        ...session,
        closedAt: '2026-03-01T10:05:00Z',
        summary: { duration: 300, messageCount: 4 },
      }),
    );
    await inbox.handle(eventHandlers);
    await inbox.handle(eventHandlers);
    const { audienceId } = (
      await site.call('POST', '/audiences', { name: 'List', serviceNumberId: 'sn-1', type: 'contacts', contactIds: [] })
    ).body;
    await backend.call('PUT', `/audiences/${audienceId}/contacts`, {
      token: await site.as(),
      raw: 'contactId\nann\nann\nben\n',
      contentType: 'text/csv',
    });
    await closed();
    const { items } = await list();
    for (const { eventId: _id, ...event } of items) outgoingEventSchema.parse(event);
    const told = new Map(items.map(({ type, data }) => [type, data]));
    expect([...told.keys()].toSorted()).to.deep.equal([
      'approval.decided',
      'approval.requested',
      'audience.imported',
      'campaign.cancelled',
      'campaign.completed',
      'campaign.paused',
      'campaign.scheduled',
      'contact.unfollowed',
      'conversation.closed',
      'conversation.opened',
    ]);
    expect(told.get('campaign.paused')).to.include({ reason: 'operator', campaignId: send.campaignId });
    expect(told.get('approval.decided')).to.include({ outcome: 'withdrawn', approvalId: 'a-1' });
    expect(told.get('audience.imported')).to.include({ contacts: 2, duplicates: 1, audienceId });
    expect(told.get('conversation.closed')?.['conversations']).to.deep.equal([
      { contactId: 'ann', sessionId: 's-1', closedAt: '2026-03-01T10:05:00.000Z', messageCount: 4 },
    ]);
  });

  it('are told who entered an automation, and that it was paused', async () => {
    await list();
    const { tenantId } = site;
    const steps = [{ messages: [{ type: 'text', text: 'Welcome' }] }];
    const automation = { name: 'Welcome', serviceNumberId: 'sn-1', trigger: { event: 'contact.followed' }, steps };
    const { automationId } = (await site.call('POST', '/automations', automation)).body;
    expect((await site.call('POST', `/automations/${automationId}:activate`)).status).to.equal(200);
    const cause = { event: 'contact.followed', at: '2026-03-01T10:00:00.000Z' };
    const entry = { tenant_id: tenantId, automation_id: automationId, entered_at: new Date(), caused_at: new Date() };
    await backend
      .db('automation_entry')
      .insert(['ann', 'ben'].map((id) => ({ ...entry, contact_id: id, cause_key: id, cause: JSON.stringify(cause) })));
    await backend.db('automation_entry').where({ contact_id: 'ann' }).update({ decided_at: new Date() });
    await backend
      .db('automation_entry')
      .where({ contact_id: 'ben' })
      .update({ decided_at: new Date(), status: 'skipped', reason: 'filter' });
    await site.call('POST', `/automations/${automationId}:pause`);
    await closed();
    const { items } = await list();
    for (const { eventId: _id, ...event } of items) outgoingEventSchema.parse(event);
    const told = new Map(items.map(({ type, data }) => [type, data]));
    expect([...told.keys()].toSorted()).to.deep.equal(['automation.entered', 'automation.paused']);
    expect(told.get('automation.entered')?.['contacts']).to.have.length(1);
    expect(told.get('automation.entered')?.['contacts']).to.have.nested.property('[0].cause').that.deep.equals(cause);
    expect(told.get('automation.paused')).to.deep.equal({
      tenantId,
      automationId,
      name: 'Welcome',
      reason: 'operator',
    });
  });
});
