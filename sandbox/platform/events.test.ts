import { expect } from 'chai';
import { APP_SIGNATURE_HEADER, NONCE_HEADER, sign, verify } from '#domain/signature.ts';
import { broadcast, contactIds, eventually, installTenant, signedCall, startRunning } from '../testing/running.ts';
import type { Installed, Received, Running } from '../testing/running.ts';

describe('sandbox: lifecycle, events and clicks', () => {
  let running: Running;
  let installed: Installed;

  before(async () => {
    running = await startRunning();
    installed = await installTenant(running);
    await running.call('PUT', '/sandbox/clock', {
      startDelayMs: 0,
      sendDurationMs: 0,
      governanceShare: 0,
      failedShare: 0,
    });
  });
  after(() => running.end());
  beforeEach(() => {
    running.application.received.length = 0;
  });

  const nonceOf = (received: Received) => String(received.headers[NONCE_HEADER.toLowerCase()]);
  const isSigned = (received: Received, secret: string) =>
    verify(secret, nonceOf(received), received.raw, String(received.headers.authorization));
  const webhooks = (eventType: string) =>
    running.application.received.filter(({ path, body }) => path === '/webhook' && body.eventType === eventType);

  async function sent(body: unknown): Promise<string> {
    const { body: response } = await signedCall(
      running,
      installed,
      'POST',
      '/openapi/v1/service-numbers/sn1/broadcasts',
      body,
    );
    const taskId = String(response.taskId);
    await eventually(async () => (await running.call('GET', `/sandbox/tasks/${taskId}`)).body.status === 'completed');
    return taskId;
  }

  it('installs with both signatures, retries after 5xx, and becomes ACTIVE', async () => {
    await running.call('POST', '/sandbox/tenants', { platformTenantId: 't3', name: 'Third', type: 'shop' });
    const { response } = running.application;
    running.application.response = (received) => {
      running.application.response = response;
      expect(received.path).to.equal('/install');
      return { status: 503 };
    };
    const { status, body } = await running.call('POST', '/admin/tenants/t3/tenant-integrations', {});
    expect([status, body.status]).to.deep.equal([201, 'ACTIVE']);
    const [first, second] = running.application.received;
    if (!first || !second) throw new Error('two calls were expected');
    expect(second.body).to.deep.equal(first.body);
    expect(nonceOf(second)).to.not.equal(nonceOf(first));
    expect(second.body).to.deep.include({
      appId: 'outreach',
      platformTenantId: 't3',
      tenant: { name: 'Third', type: 'shop' },
    });
    expect(isSigned(second, body.tenantIntegrationSecret)).to.equal(true);
    const parts = { tenantIntegrationId: body.tenantIntegrationId, nonce: nonceOf(second), body: second.raw };
    expect(second.headers[APP_SIGNATURE_HEADER.toLowerCase()]).to.equal(
      sign(running.settings.PLATFORM_APP_SECRET[0], parts),
    );
  });

  it('announces contacts, signed, once each', async () => {
    const { body } = await running.call('POST', '/sandbox/contacts', {
      tenant: 't1',
      serviceNumberId: 'sn1',
      count: 600,
      prefix: 'n',
      emit: true,
      wait: true,
    });
    expect(body.emitted).to.equal(600);
    const entered = webhooks('contact.entered');
    expect(entered.every((received) => isSigned(received, installed.secret))).to.equal(true);
    const ids = entered.map(({ body }) => (body.data as { contactId: string }).contactId);
    expect(new Set(ids).size).to.equal(600);
    expect(entered).to.have.length(600);
  });

  it('retries a rejected webhook with a fresh nonce, and one without a response with the same nonce', async () => {
    const replies = [{ status: 503 }, { status: 200, destroy: true }, { status: 409 }];
    const { response } = running.application;
    running.application.response = () => replies.shift() ?? { status: 500 };
    const { body } = await running.call('POST', '/sandbox/webhooks', {
      tenant: 't1',
      eventType: 'label.changed',
      data: {},
      wait: true,
    });
    running.application.response = response;
    const nonces = webhooks('label.changed').map(nonceOf);
    expect(nonces).to.have.length(3);
    expect(nonces[1]).to.not.equal(nonces[0]);
    expect(nonces[2]).to.equal(nonces[1]);
    const log = await running.call('GET', `/sandbox/deliveries?eventId=${String(body.eventId)}`);
    expect(log.body).to.have.nested.property('items[0].status', 'delivered');
    expect(log.body).to.have.nested.property('items[0].attempts', 3);
  });

  it('reports a Postback and a Url click, data unchanged, in the log and as events', async () => {
    const message = broadcast(contactIds(1, 3), {}, { z: '  ü ', a: [1] });
    const taskId = await sent(message);
    const { body } = await running.call('POST', '/sandbox/clicks', {
      taskId,
      contactId: 'c000002',
      times: 3,
      distinctEvents: 2,
    });
    expect(body.items).to.have.length(2);
    const clicked = await eventually(() => webhooks('notice.clicked').length === 6 && webhooks('notice.clicked'));
    expect(new Set(clicked.map((one) => one.body.eventId)).size).to.equal(2);
    const [first] = body.items;
    const data = message.messages[0]?.actions[0]?.data;
    expect(clicked[0]?.body).to.deep.include({
      scope: { serviceNumberId: 'sn1' },
      data: {
        taskId,
        noticeId: first?.noticeId,
        actionIndex: 0,
        action: { type: 'Postback', data },
        contactId: 'c000002',
        serviceNumberId: 'sn1',
        clickedAt: first?.clickedAt,
      },
    });
    const link = await running.call('GET', `/notice-click/${String(first?.noticeId)}/1`);
    expect([link.status, link.headers.get('location')]).to.deep.equal([302, 'https://example.com/spring']);
    await eventually(() => webhooks('notice.clicked').length === 7);
    const log = await running.call('GET', `/sandbox/notice-click-log?taskId=${taskId}`);
    expect(log.body.total).to.equal(3);
    expect(log.body).to.have.nested.property('items[2].type', 'Url');
  });

  it('opens a conversation on InboundReason through the entry source, and closes it', async () => {
    const { body: source } = await signedCall(running, installed, 'POST', '/openapi/v1/entry-sources', {
      name: 'Spring',
      reason: { type: 'activity', id: 'k1', data: { appId: 'outreach', campaignId: 'k1' } },
      channels: [{ channel: 'default', serviceNumberId: 'sn1' }],
      webhook: { url: `${running.application.url}/webhook`, events: ['session.created', 'session.closed'] },
    });
    const taskId = await sent(broadcast(contactIds(1, 3), {}, { event: 'InboundReason', sourceId: source.sourceId }));
    await running.call('POST', '/sandbox/clicks', { taskId, contactId: 'c000001' });
    const created = await eventually(() => webhooks('session.created')[0]);
    expect(created.body.data).to.deep.include({
      sourceId: source.sourceId,
      contactId: 'c000001',
      entryReason: { type: 'activity', name: 'Spring', id: 'k1', data: { appId: 'outreach', campaignId: 'k1' } },
    });
    const { sessionId } = created.body.data as { sessionId: string };
    await running.call('POST', `/sandbox/sessions/${sessionId}:close`, { durationSeconds: 90, messageCount: 7 });
    const closed = await eventually(() => webhooks('session.closed')[0]);
    expect(closed.body.data).to.have.nested.property('summary.duration', 90);
    expect(closed.body.data).to.not.have.property('contactId');
    await signedCall(running, installed, 'PUT', `/openapi/v1/entry-sources/${String(source.sourceId)}/status`, {
      status: 'inactive',
    });
    await running.call('POST', '/sandbox/clicks', { taskId, contactId: 'c000002' });
    await eventually(() => webhooks('notice.clicked').length === 2);
    expect(webhooks('session.created')).to.have.length(1);
  });

  it('rotates the secret: signs with the new one, accepts both', async () => {
    const id = installed.tenantIntegrationId;
    const { body } = await running.call('POST', `/admin/tenant-integrations/${id}:rotate-secret`, { graceSeconds: 60 });
    expect(body.status).to.equal(200);
    const rotation = running.application.received.find(({ path }) => path === '/rotate-secret');
    const newSecret = String(rotation?.body.newSecret);
    expect(rotation && isSigned(rotation, installed.secret)).to.equal(true);
    for (const secret of [installed.secret, newSecret]) {
      const read = await signedCall(running, { ...installed, secret }, 'GET', '/openapi/v1/embed/configurations');
      expect(read.status).to.equal(200);
    }
    installed = { ...installed, secret: newSecret };
    await running.call('POST', '/sandbox/webhooks', { tenant: 't1', eventType: 'label.changed', data: {}, wait: true });
    expect(webhooks('label.changed').map((one) => isSigned(one, newSecret))).to.deep.equal([true]);
  });

  it('resumes after a restart: tasks, contacts, and pending deliveries', async () => {
    const taskId = await sent(broadcast(contactIds(1, 5)));
    const { response } = running.application;
    running.application.response = () => ({ status: 503 });
    await running.call('POST', '/sandbox/clicks', { taskId, contactId: 'c000005' });
    await eventually(() => webhooks('notice.clicked').length > 0);
    await running.restart();
    running.application.received.length = 0;
    running.application.response = response;
    await eventually(() => webhooks('notice.clicked').length === 1);
    const { body } = await running.call('GET', `/sandbox/tasks/${taskId}`);
    expect(body.contactIds).to.deep.equal(contactIds(1, 5));
    expect((await running.call('GET', '/sandbox/contacts?serviceNumberId=sn1')).body.total).to.equal(2100);
  });

  it('uninstalls: its signatures are no longer valid', async () => {
    const { body } = await running.call(
      'POST',
      `/admin/tenant-integrations/${installed.tenantIntegrationId}:uninstall`,
      {},
    );
    expect(body).to.have.nested.property('integration.status', 'UNINSTALLED');
    const read = await signedCall(running, installed, 'GET', '/openapi/v1/embed/configurations');
    expect(read.status).to.equal(401);
  });
});
