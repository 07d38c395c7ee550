import { expect } from 'chai';
import type { Action, Message } from '#domain/api/messages.ts';
import { type FieldError, Problem } from '#domain/api/problem.ts';
import type { Submitted } from '#api/backend/deps.ts';
import type { StoredEvent } from '#db/outreach/inbox/batch.ts';
import { attributeClicks } from '#activities/outreach/inbox/handlers/clicks.ts';
import { NothingSent } from '#clients/platform/gateway.ts';
import { against } from '#test/support/outreach/variant-sends.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('test sends', () => {
  const backend = useTwoTenants({
    contacts: 30,
    platform: {
      readTask: async () => null,
      submitBroadcast: async (_tenantId, _sn, call) => {
        backend.flows.tests.push(call);
        const outcome = outcomes.shift() ?? { taskId: `task-${call.key}` };
        if (outcome instanceof NothingSent) throw outcome;
        return outcome;
      },
    },
  });
  /** Outcomes of the next calls; a task when there are none left. */
  const outcomes: (Submitted | NothingSent)[] = [];

  const actions: Action[] = [
    { type: 'Postback', label: 'Ask', data: { event: 'InboundReason', bizEventCode: 'ask', extra: 1 } },
    { type: 'Url', label: 'More', url: 'https://shop.example/more' },
  ];
  const create = () => backend.draft({ messages: [{ type: 'buttons', title: 'T', text: 't', actions }] });
  const test = (id: string, contactIds: unknown, token = backend.operator) =>
    backend.act(id, 'test-send', { token, body: { contactIds } });
  const keyed = (id: string, key: string) =>
    backend.act(id, 'test-send', {
      body: { contactIds: [contactId(1), contactId(2)] },
      headers: { 'Idempotency-Key': key },
    });
  const click = (taskId: string, action: object, n: number): StoredEvent => ({
    tenantId: 'a',
    tenantIntegrationId: 'ti-a',
    eventId: `e${n}`,
    eventType: 'notice.clicked',
    serviceNumberId: 'sn-1',
    receivedAt: new Date(),
    occurredAt: new Date(),
    microseconds: 0,
    traceParent: null,
    payload: JSON.stringify({
      taskId,
      noticeId: 'n',
      actionIndex: 1,
      action,
      contactId: contactId(1),
      serviceNumberId: 'sn-1',
      clickedAt: new Date().toISOString(),
    }),
  });
  const handle = (events: StoredEvent[]) =>
    backend.db.transaction((transaction) =>
      attributeClicks(transaction, events, {
        now: new Date(),
        clicksKeptSince: new Date(0),
        polls: new Map(),
        given: [],
      }),
    );

  it('reach only test contacts once sends need approval, all of them or nobody', async () => {
    const token = await backend.token('a', 'tenant_admin', 'ada');
    const set = async (body: object) =>
      expect((await backend.call('PATCH', '/tenant-settings', { token, body })).status).to.equal(200);
    const of = (n: number) => ({ serviceNumberId: 'sn-1', contactId: contactId(n) });
    const id = await create();
    const sent = () => backend.flows.tests.map(({ broadcast }) => broadcast.audience.contactIds);
    const before = sent().length;
    await set({ testContacts: [of(1), of(2)] });
    expect((await test(id, [contactId(3)])).status, 'without a limit').to.equal(200);
    await set({ sendsNeedApproval: 1000 });
    const refused = await test(id, [contactId(1), contactId(3), 'nobody']);
    expect([refused.status, refused.body.code, refused.body.errors.map((one: FieldError) => one.path)]).to.deep.equal([
      403,
      'test_contacts_only',
      ['/contactIds/1', '/contactIds/2'],
    ]);
    expect((await test(id, [contactId(2), contactId(1)])).status).to.equal(200);
    await set({ testContacts: [] });
    expect((await test(id, [contactId(1)])).body.code).to.equal('test_contacts_only');
    await set({ sendsNeedApproval: null });
    expect((await test(id, [contactId(4)])).status).to.equal(200);
    expect(sent().slice(before)).to.deep.equal([[contactId(3)], [contactId(2), contactId(1)], [contactId(4)]]);
  });

  it('sends the messages of a variant that is named, and refuses a name that none has', async () => {
    const other: Message = { type: 'text', text: 'Half price until noon' };
    const variants = { ...against([50, 50], {}, [other]) };
    const id = await backend.draft({ messages: [{ type: 'text', text: 'Come in' }], variants });
    const ask = (variant?: string) =>
      backend.act(id, 'test-send', { body: { contactIds: [contactId(1)], ...(variant && { variant }) } });
    const textsOf = () => backend.flows.tests.at(-1)?.broadcast.messages;
    expect((await ask()).status).to.equal(200);
    expect(textsOf()).to.deep.equal([{ type: 'text', text: 'Come in' }]);
    expect((await ask('B')).status).to.equal(200);
    expect(textsOf()).to.deep.equal([other]);
    expect((await ask('A')).status).to.equal(200);
    expect(textsOf()).to.deep.equal([{ type: 'text', text: 'Come in' }]);
    const sent = backend.flows.tests.length;
    const refused = await ask('C');
    expect([refused.status, refused.body.errors]).to.deep.equal([
      422,
      [{ path: '/variant', message: 'is no variant of the campaign', code: 'unknown_variant' }],
    ]);
    expect(backend.flows.tests.length).to.equal(sent);
    const audited = await backend.db('audit_log').where({ objectId: id, action: 'campaign.test_send' });
    expect(audited.map(({ after }) => after.variant)).to.have.members([undefined, 'B', 'A']);
  });

  it('sends a draft as plain clicks under a separate key, and counts nowhere', async () => {
    const id = await create();
    const response = await test(id, [contactId(1), contactId(2), contactId(1)]);
    const sent = backend.flows.tests.at(-1);
    expect([response.status, response.body]).to.deep.equal([200, { taskId: `task-${sent?.key}`, contactCount: 2 }]);
    expect(sent?.key).to.match(/^test-/);
    expect(sent?.broadcast).to.deep.include({
      audience: { type: 'contacts', contactIds: [contactId(1), contactId(2)] },
      schedule: { type: 'immediate' },
    });
    const [message] = sent?.broadcast.messages ?? [];
    const data = message?.type === 'buttons' && message.actions[0]?.type === 'Postback' ? message.actions[0].data : '';
    expect(JSON.parse(String(data))).to.deep.equal({
      bizEventCode: 'ask',
      extra: 1,
      appId: 'outreach',
      event: 'Broadcast',
      campaignId: id,
      subTaskKey: sent?.key,
      messageIndex: 0,
    });
    const campaign = (await backend.call('GET', `/campaigns/${id}`)).body;
    expect([campaign.status, campaign.audienceCount]).to.deep.equal(['draft', null]);
    expect(await backend.db('broadcast_task').where({ campaign_id: id })).to.have.length(0);
    expect(await backend.db('audit_log').where({ object_id: id, action: 'campaign.test_send' })).to.have.length(1);
  });

  it('accepts clicks of a test without attributing them, even if the response to the test was lost', async () => {
    const id = await create();
    const { taskId } = (await test(id, [contactId(1)])).body;
    const url = { type: 'Url', url: 'https://shop.example/more' };
    expect(await handle([click(taskId, url, 1)])).to.deep.equal([{ kind: 'processed' }]);
    await backend.db('test_send').insert({ key: 'test-lost', tenant_id: 'a', campaign_id: id });
    expect((await handle([click('lost', url, 2)])).map(({ kind }) => kind)).to.deep.equal(['waits']);
    const named = { type: 'Postback', data: JSON.stringify({ campaignId: id, subTaskKey: 'test-lost' }) };
    expect((await handle([click('lost', named, 3)])).map(({ kind }) => kind)).to.deep.equal(['processed']);
    expect((await handle([click('lost', url, 2)])).map(({ kind }) => kind)).to.deep.equal(['processed']);
    expect(await backend.db('click_attribution').where({ campaign_id: id })).to.have.length(0);
  });

  it('sends again under the key of a test that failed, whether or not the platform has got it', async () => {
    const id = await create();
    const before = backend.flows.tests.length;
    const problem = new Problem('unavailable', 'no answer');
    outcomes.push(
      new NothingSent('the secrets could not be read'),
      { taskId: null, problem },
      { taskId: null, problem },
    );
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await keyed(id, 'k')).status);
    expect(statuses).to.deep.equal([500, 503, 503, 200, 200]);
    expect(backend.flows.tests.length - before).to.equal(4);
    const stored = await backend.db('test_send').where({ campaign_id: id }).orderBy('created_at');
    expect(stored.map(({ taskId, endedAt }) => [taskId !== null, endedAt !== null])).to.deep.equal([
      [false, true],
      [false, true],
      [false, true],
      [true, true],
    ]);
  });

  it('rejects unreachable contacts, too many contacts, and people without permission', async () => {
    const id = await create();
    await backend
      .db('contact_profile')
      .where({ contact_id: contactId(30) })
      .update({ unsubscribed: true });
    const rejected = await test(id, [contactId(1), 'ghost', contactId(30)]);
    expect(rejected.status).to.equal(422);
    expect(rejected.body.errors.map(({ path }: { path: string }) => path)).to.deep.equal([
      '/contactIds/1',
      '/contactIds/2',
    ]);
    const many = Array.from({ length: 21 }, (_, n) => contactId(n + 1));
    for (const wrong of [[], many, undefined]) expect((await test(id, wrong)).status).to.equal(400);
    expect((await test(id, [contactId(1)], backend.foreign)).status).to.equal(404);
    expect((await test(id, [contactId(1)], await backend.token('a', 'viewer', 'v'))).status).to.equal(403);
    expect(await backend.db('test_send').where({ campaign_id: id })).to.have.length(0);
  });
});
