import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import {
  broadcast,
  contactIds,
  eventually,
  installTenant,
  signedCall,
  startRunning,
} from '#sandbox/testing/running.ts';
import type { Installed, Running } from '#sandbox/testing/running.ts';

const path = '/openapi/v1/service-numbers/sn1/broadcasts';

describe('sandbox: broadcasts', () => {
  let running: Running;
  let installed: Installed;

  before(async () => {
    running = await startRunning();
    installed = await installTenant(running);
    await running.call('PUT', '/sandbox/clock', { startDelayMs: 0, sendDurationMs: 100, readDelayMs: 0 });
  });
  after(() => running.end());

  const send = (body: unknown, more?: { nonce?: string; headers?: Record<string, string> }) =>
    signedCall(running, installed, 'POST', path, body, more);

  it('accepts one task per call, and counts each contact once', async () => {
    const { status, body } = await send(broadcast([...contactIds(1, 10), 'c000001']));
    expect(status).to.equal(201);
    expect(body.estimatedRecipientCount).to.equal(10);
    const tasks = await running.call('GET', '/sandbox/tasks?contacts=1');
    expect(tasks.body.total).to.equal(1);
    expect(tasks.body).to.have.nested.property('items[0].contactIds').deep.equal(contactIds(1, 10));
  });

  it('goes from scheduled through sending to completed, with a summary that adds up', async () => {
    const { body } = await send(broadcast(contactIds(1, 1000)));
    const report = await eventually(async () => {
      const { body: now } = await signedCall(running, installed, 'GET', `${path}/${String(body.taskId)}`);
      const { sent, delivered, failed, read } = now.summary;
      expect(sent).to.equal(delivered + failed);
      expect(read).to.be.at.most(delivered);
      return now.status === 'completed' ? now : undefined;
    });
    const summary = report.summary;
    expect(report.recipientCount).to.equal(1000);
    expect(summary.sent).to.be.within(950, 999);
    expect(summary.failed).to.be.above(0);
    expect(summary.read).to.be.above(400);
    expect(Date.parse(report.finishedAt) - Date.parse(report.startedAt)).to.equal(100);
  });

  it('sends tasks whose name includes a text at their own pace, and others as ever', async () => {
    const paces = [
      { nameIncludes: 'Morning', startDelayMs: 3_600_000 },
      { nameIncludes: 'Evening', sendDurationMs: 3_600_000 },
    ];
    expect((await running.call('PUT', '/sandbox/paces', { paces })).status).to.equal(200);
    const sent = async (name: string) => String((await send(broadcast(contactIds(1, 2), { name }))).body.taskId);
    const [morning, evening, noon] = [await sent('In the Morning'), await sent('Evening'), await sent('At noon')];
    const status = async (taskId: string) =>
      String((await signedCall(running, installed, 'GET', `${path}/${taskId}`)).body.status);
    await eventually(async () => (await status(noon)) === 'completed' && (await status(evening)) === 'sending');
    expect(await status(morning)).to.equal('scheduled');
    await running.call('PUT', '/sandbox/paces', { paces: [] });
    const later = await sent('Evening, again');
    await eventually(async () => (await status(later)) === 'completed');
    expect(await status(evening)).to.equal('sending');
  });

  it('rejects what S0 forbids, and creates nothing', async () => {
    const before = (await running.call('GET', '/sandbox/tasks')).body.total;
    const card = (data: unknown) => {
      const body = broadcast(['c000001']);
      return { ...body, messages: [{ ...body.messages[0], actions: [{ type: 'Postback', label: 'x', data }] }] };
    };
    const rejected: Array<[unknown, string]> = [
      [broadcast(contactIds(1, 1001)), 'audience_too_large'],
      [broadcast(['c000001', 'nobody', 'c999999', 'c1']), 'contact_not_found'],
      [broadcast([], { audience: { type: 'tags', tagIds: ['none'], tagOperator: 'OR' } }), 'tag_not_found'],
      [card('{'), 'invalid_postback'],
      [card(undefined), 'invalid_postback'],
      [card('{"event":"Broadcast"}'), 'invalid_postback'],
      [card('{"appId":"other","event":"Broadcast"}'), 'invalid_postback'],
      [card('{"appId":"outreach"}'), 'invalid_postback'],
      [card('{"appId":"outreach","event":"Unknown"}'), 'invalid_postback'],
      [card('{"appId":"outreach","event":"InboundReason"}'), 'invalid_postback'],
      [card('{"appId":"outreach","event":"InboundReason","sourceId":"none"}'), 'invalid_postback'],
      [broadcast(['c000001'], { messages: [] }), 'invalid_request'],
      [
        broadcast(['c000001'], { messages: Array.from({ length: 6 }, () => ({ type: 'text', text: 'x' })) }),
        'invalid_request',
      ],
      [broadcast(['c000001'], { schedule: { type: 'scheduled', at: 'soon' } }), 'invalid_request'],
    ];
    for (const [body, code] of rejected) {
      const response = await send(body);
      expect(response.status, code).to.be.within(400, 422);
      expect(response.body.code).to.equal(code);
      expect(response.body.message).to.be.a('string');
      if (code === 'contact_not_found') expect(response.body.contactIds).to.deep.equal(['nobody', 'c999999', 'c1']);
    }
    expect((await running.call('GET', '/sandbox/tasks')).body.total).to.equal(before);
  });

  it('rejects wrong signatures with 401 and used nonces with 409, and lets a rejected call’s nonce be used', async () => {
    const nonce = createNonce();
    expect((await send(broadcast(['nobody']), { nonce })).status).to.equal(422);
    expect((await send(broadcast(['c000001']), { nonce })).status).to.equal(201);
    const replayed = await send(broadcast(['c000001']), { nonce });
    expect([replayed.status, replayed.body.code]).to.deep.equal([409, 'nonce_replayed']);
    expect((await send(broadcast(['c000001']), { nonce: 'short' })).status).to.equal(401);
    const wrong = { ...installed, secret: `${installed.secret}x` };
    expect((await signedCall(running, wrong, 'POST', path, broadcast(['c000001']))).status).to.equal(401);
    expect((await running.call('POST', path, broadcast(['c000001']))).status).to.equal(401);
    const { body } = await running.call('GET', '/sandbox/calls?route=A1&limit=3');
    const { items } = body;
    expect(items.map((call) => call.signature)).to.deep.equal(['refused', 'refused', 'refused']);
  });

  it('gives nobody access to another tenant’s service number', async () => {
    await running.call('POST', '/sandbox/tenants', {
      platformTenantId: 't2',
      name: 'Other',
      serviceNumbers: [{ serviceNumberId: 'sn2', name: 'Number' }],
    });
    const response = await signedCall(running, installed, 'POST', path.replace('sn1', 'sn2'), broadcast(['c000001']));
    expect(response.status).to.equal(404);
  });

  it('cancels scheduled tasks only', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await send(broadcast(['c000001'], { schedule: { type: 'scheduled', at } }));
    const cancel = () => signedCall(running, installed, 'POST', `${path}/${String(body.taskId)}:cancel`);
    const first = await cancel();
    expect([first.status, first.body]).to.deep.equal([200, { taskId: body.taskId, status: 'cancelled' }]);
    const second = await cancel();
    expect([second.status, second.body.code, second.body.status]).to.deep.equal([409, 'not_scheduled', 'cancelled']);
  });

  it('honours Idempotency-Key only if switched on', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await send(broadcast(['c000001']), { headers });
    const second = await send(broadcast(['c000001']), { headers });
    expect(second.body.taskId).to.not.equal(first.body.taskId);
    await running.call('PUT', '/sandbox/behaviour', { a1Idempotent: true });
    const third = await send(broadcast(['c000001']), { headers });
    expect([first.body.taskId, second.body.taskId]).to.include(third.body.taskId);
  });

  it('leaves out unsubscribed contacts, and fails those who no longer follow', async () => {
    await running.call('PUT', '/sandbox/behaviour', { governanceShare: 0, failedShare: 0 });
    const act = (action: string, ids: string[]) =>
      running.call('POST', '/sandbox/contacts:act', { serviceNumberId: 'sn1', action, contactIds: ids });
    await act('unsubscribe', ['c000002', 'c000003']);
    await act('unfollow', ['c000004']);
    const { body } = await send(broadcast(contactIds(1, 10)));
    expect(body.estimatedRecipientCount).to.equal(8);
    const report = await eventually(async () => {
      const { body: now } = await signedCall(running, installed, 'GET', `${path}/${String(body.taskId)}`);
      return now.status === 'completed' ? now : undefined;
    });
    expect(report.recipientCount).to.equal(8);
    expect(report.summary).to.include({ sent: 8, delivered: 7, failed: 1 });
  });
});
