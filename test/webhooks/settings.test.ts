import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { outgoingEventTypes } from '#domain/api/webhook.ts';
import { deleteExpiredRows } from '#commands/outreach/retention/delete-expired-rows.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

describe('the webhook of a tenant', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;

  beforeEach(async () => {
    site = await openEventSite(backend);
  });
  afterEach(() => site.close());

  const url = 'https://receiver.example/hook';
  const put = (body: object) => site.call('PUT', '/webhook', { url, eventTypes: ['campaign.sent'], ...body });
  const webhookRow = async () => {
    const [row] = await rows<Record<string, unknown>>(backend.db, 'select * from webhook where tenant_id = :tenantId', {
      tenantId: site.tenantId,
    });
    return row;
  };

  it('is none at first; its secret is shown once and stored sealed; changing it keeps the secret', async () => {
    expect((await site.call('GET', '/webhook')).body).to.deep.equal({ webhook: null });
    const made = await put({});
    expect(made.body.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(await webhookRow())).to.not.contain(String(made.body.secret).slice('whsec_'.length));
    const changed = await put({ eventTypes: ['contact.clicked', 'campaign.completed'] });
    expect(changed.body).to.not.have.property('secret');
    const read = (await site.call('GET', '/webhook')).body.webhook;
    expect(read).to.deep.include({ url, previousUntil: null });
    expect(read.eventTypes).to.deep.equal(['contact.clicked', 'campaign.completed']);
    expect(Object.keys(read).toSorted()).to.deep.equal([
      'createdAt',
      'endpointId',
      'etag',
      'eventTypes',
      'pauseReason',
      'previousUntil',
      'status',
      'updatedAt',
      'url',
    ]);
  });

  it('takes a secret of one’s own, does not repeat it, and keeps the one before for a day', async () => {
    await put({});
    const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    const given = await put({ secret });
    expect(given.body).to.not.have.property('secret');
    expect(Date.parse(given.body.previousUntil)).to.be.greaterThan(Date.now());
  });

  it('refuses what is no address, no type or no secret, by its path', async () => {
    for (const [body, path] of [
      [{ url: 'ftp://receiver.example/' }, '/url'],
      [{ url: 'http://receiver.example/' }, '/url'],
      [{ eventTypes: [] }, '/eventTypes'],
      [{ eventTypes: ['order.paid'] }, '/eventTypes/0'],
      [{ eventTypes: ['campaign.sent', 'campaign.sent'] }, '/eventTypes'],
      [{ secret: 'whsec_short' }, '/secret'],
    ] as const) {
      const { status, body: problem } = await put(body);
      expect(status, JSON.stringify(body)).to.be.oneOf([400, 422]);
      expect(problem.errors.map((error: { path: string }) => error.path)).to.deep.equal([path]);
    }
    expect(await webhookRow()).to.equal(undefined);
  });

  it('is for administrators alone', async () => {
    await put({});
    for (const role of ['viewer', 'marketing_operator'] as const) {
      const token = await site.as(role);
      for (const [method, path] of [
        ['GET', '/webhook'],
        ['DELETE', '/webhook'],
        ['POST', '/webhook:test'],
        ['POST', '/webhook:rotate-secret'],
        ['GET', '/webhook/deliveries'],
      ] as const)
        expect((await backend.call(method, path, { token })).status, `${role} ${method} ${path}`).to.equal(403);
    }
  });

  it('without one, a test is refused, and so is a delivery that nobody knows', async () => {
    expect((await site.call('POST', '/webhook:test')).body.code).to.equal('invalid_state');
    expect((await site.call('POST', '/webhook:rotate-secret')).body.code).to.equal('invalid_state');
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await site.call('POST', `/webhook/deliveries/${unknown}:redeliver`)).status).to.equal(404);
  });

  it('another tenant sees and redelivers nothing of it', async () => {
    await site.configure();
    const { deliveryId } = (await site.call('POST', '/webhook:test')).body;
    const other = await openEventSite(backend);
    try {
      await other.configure();
      expect((await other.call('GET', '/webhook/deliveries')).body.items).to.deep.equal([]);
      expect((await other.call('POST', `/webhook/deliveries/${deliveryId}:redeliver`)).status).to.equal(404);
    } finally {
      await other.close();
    }
  });

  it('every change is in the audit log, without a secret', async () => {
    await put({});
    await put({ eventTypes: ['contact.tagged'] });
    const { secret } = (await site.call('POST', '/webhook:rotate-secret')).body;
    const { deliveryId } = (await site.call('POST', '/webhook:test')).body;
    await site.call('POST', `/webhook/deliveries/${deliveryId}:redeliver`);
    await site.call('DELETE', '/webhook');
    const { items } = (await site.call('GET', '/audit-log?objectType=webhook')).body;
    expect(items.map(({ action }: { action: string }) => action)).to.deep.equal([
      'webhook.delete',
      'webhook.redeliver',
      'webhook.test',
      'webhook.rotate',
      'webhook.set',
      'webhook.set',
    ]);
    expect(JSON.stringify(items)).to.not.contain(String(secret).slice('whsec_'.length, 20));
    expect(items[4].before).to.deep.equal({ url, eventTypes: ['campaign.sent'], status: 'active' });
  });

  it('is gone with its secret when it is deleted, and gives up what was not delivered', async () => {
    await site.configure();
    await site.call('POST', '/webhook:test');
    expect((await site.call('DELETE', '/webhook')).status).to.equal(204);
    expect((await site.call('DELETE', '/webhook')).status).to.equal(204);
    expect(await webhookRow()).to.equal(undefined);
    const given = await backend.db('delivery').where({ tenant_id: site.tenantId }).first();
    expect(given).to.include({ status: 'failed', lastError: 'the webhook was removed', nextAttemptAt: null });
    expect((await site.call('POST', `/webhook/deliveries/${given.deliveryId}:redeliver`)).status).to.equal(404);
  });

  it('is gone after an uninstall, and nobody is told of the campaigns that this ends', async () => {
    await site.configure();
    await site.seedSend({ chunks: [2] });
    await backend.service('POST', `/tenant-integrations/${site.tenant.tenantIntegrationId}:uninstall`, {});
    expect(await webhookRow()).to.equal(undefined);
    const written = await rows(backend.db, 'select 1 from outgoing_event where tenant_id = :tenantId', {
      tenantId: site.tenantId,
    });
    expect(written).to.deep.equal([]);
  });

  it('what has ended is deleted after 30 days with its contacts, and what waits is not', async () => {
    await site.configure();
    const send = await site.seedSend({ chunks: [1] });
    const click = (contactId: string) =>
      rows(
        backend.db,
        `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
         values (:tenantId, 't', :contactId, 'n', 0, :campaignId, :contactId, now())`,
        { tenantId: site.tenantId, campaignId: send.campaignId, contactId },
      );
    await click('old');
    await rows(
      backend.db,
      `update delivery set status = 'delivered', attempts = 1, next_attempt_at = null,
         settled_at = now() - interval '31 days' where tenant_id = :tenantId`,
      { tenantId: site.tenantId },
    );
    await backend
      .db('outgoing_event')
      .where({ tenant_id: site.tenantId })
      .update({ created_at: daysAgo(31) });
    await click('young');
    const kept = { events: 90, recipients: 400, timeline: 400, audit: 1095, uninstalled: null };
    while ((await deleteExpiredRows(backend.db, kept, new Date())) > 0);
    const parts = await rows(
      backend.db,
      `select to_json(contact_ids) as contact_ids, d.status from outgoing_event_part
       join outgoing_event using (event_id) join delivery d using (event_id) where d.tenant_id = :tenantId`,
      { tenantId: site.tenantId },
    );
    expect(parts).to.deep.equal([{ contactIds: ['young'], status: 'pending' }]);
  });
});

describe('the address of a webhook in production', function () {
  this.timeout(60_000);
  const inside: Record<string, string> = { 'rebound.example': '10.0.0.7', 'public.example': '8.8.8.8' };
  const backend = useBackend({
    targets: createOutsideAddresses({
      production: true,
      resolve: (name, done) => done(null, [{ address: inside[name] ?? '8.8.4.4', family: 4 }]),
    }),
  });

  it('is https and outside: no private, loopback, link-local or metadata address, by name or number', async () => {
    await backend.install('a');
    const token = await backend.token('a', 'tenant_admin');
    const put = (url: string) =>
      backend.call('PUT', '/webhook', { token, body: { url, eventTypes: outgoingEventTypes } });
    for (const url of [
      'http://public.example/',
      'https://127.0.0.1/',
      'https://10.1.2.3/',
      'https://192.168.0.1:8443/',
      'https://169.254.169.254/latest/meta-data',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://0x7f000001/',
      'https://localhost/',
      'https://metadata.google.internal/',
      'https://rebound.example/',
      'https://user:password@public.example/',
    ]) {
      const { status, body } = await put(url);
      expect(status, url).to.equal(422);
      expect(body.errors, url).to.deep.include.members([{ ...body.errors[0], path: '/url', code: 'not_public' }]);
    }
    expect((await put('https://public.example/hook')).status).to.equal(200);
  });
});
