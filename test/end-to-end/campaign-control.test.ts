import { expect } from 'chai';
import type { Campaign, Progress, Results, SubTask, TestSend } from '#domain/api/campaign.ts';
import type { AudienceDrift, DryRun } from '#domain/api/dry-run.ts';
import type { Message } from '#domain/api/messages.ts';
import { call } from '../support/http/call.ts';
import { draftCampaign, type GivenCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { fillContacts, installTenant, type TestTenant } from '../support/services/tenant.ts';
import { useStack } from '../support/fixtures/stack.ts';

const tenantId = 'control';
const serviceNumberId = 'sn-control';
const contacts = 2100;

interface A1Call {
  status: number | null;
  idempotencyKey: string;
  body: { name: string; messages: Message[]; audience: { contactIds: string[] }; schedule: object };
}

const ask = {
  type: 'buttons',
  title: 'Harbor tasting',
  text: 'One cup is on us.',
  actions: [{ type: 'Postback', label: 'Ask', data: { event: 'InboundReason', bizEventCode: 'ask' } }],
};

/** A Postback's data as sent. */
function dataOf([message]: Message[]): Record<string, unknown> {
  const [action] = message?.type === 'buttons' ? message.actions : [];
  return JSON.parse(String(action?.type === 'Postback' ? action.data : '{}')) as Record<string, unknown>;
}

describe('campaign controls, end to end', function () {
  this.timeout(90_000);
  const stack = useStack({ services: ['sandbox', 'backend', 'bff'] });
  let tenant: TestTenant;
  let ada: string;
  let ben: string;

  const tokenOf = async (sub: string): Promise<string> => {
    const person = { sub, name: sub, tenantId, roles: ['marketing_operator'] };
    return sandboxToken(tenant.sandbox, person);
  };
  const as = <Body = Record<string, unknown>>(
    token: string,
    method: string,
    path: string,
    more: { body?: unknown; headers?: Record<string, string> } = {},
  ) => call<Body>(method, `${stack.addresses.bff}/api/v1${path}`, { token, ...more });
  const act = <Body = Campaign>(id: string, action: string, body?: unknown, headers = {}) =>
    as<Body>(ada, 'POST', `/campaigns/${id}:${action}`, { body, headers });
  const create = async (name: string, more: GivenCampaign = {}): Promise<string> =>
    (await draftCampaign(tenant, { name, ...more })).id;
  const a1sOf = async (name: string): Promise<A1Call[]> => {
    const { items } = await tenant.sandbox.get<{ items: A1Call[] }>('/sandbox/calls?route=A1&bodies=1');
    return items.filter(({ body }) => body.name === name);
  };
  const accepted = async (name: string) => (await a1sOf(name)).filter(({ status }) => status === 201);
  const contactsIn = (calls: A1Call[]) => calls.flatMap(({ body }) => body.audience.contactIds).toSorted();
  const faults = (...given: object[]) => tenant.sandbox.put('/sandbox/faults', { faults: given });
  /** The contacts of all sub-tasks, which must always equal the audience. */
  const progressOf = async (id: string): Promise<Progress> => {
    const progress = await tenant.api.get<Progress>(`/campaigns/${id}/progress`);
    const counted = Object.values(progress.subTasks).reduce((sum, state) => sum + state.contacts, 0);
    if (counted !== progress.audienceCount) throw new Error(`${counted} of ${progress.audienceCount} contacts`);
    return progress;
  };
  /** Checks until it holds; fails the test if the counts do not add up at any check. */
  const progressUntil = async (id: string, what: string, so: (progress: Progress) => boolean): Promise<Progress> => {
    const wrong: unknown[] = [];
    const found = await eventually(
      what,
      async () => {
        const progress = await progressOf(id).catch((error: unknown) => void wrong.push(error));
        return wrong.length > 0 || (progress && so(progress) && progress);
      },
      { timeoutMs: 30_000 },
    );
    if (found === true) throw wrong[0];
    return found;
  };

  before(async () => {
    tenant = await installTenant(stack, { tenantId, serviceNumberId, contacts: 2 });
    await fillContacts(stack, tenant, contacts);
    [ada, ben] = [await tokenOf('ada'), await tokenOf('ben')];
  });
  afterEach(async function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
    await faults();
    await tenant.sandbox.put('/sandbox/behaviour', { taskFailureShare: 0 });
  });

  it('S0-PB2: sends tests as plain Broadcast clicks that are not counted anywhere, once per Idempotency-Key', async () => {
    const id = await create('Tested', { messages: [ask] });
    const body = { contactIds: tenant.contactIds.slice(0, 2) };
    const test = (headers = {}) => act<TestSend>(id, 'test-send', body, headers);
    const atOnce = await Promise.all([1, 2, 3].map(() => test({ 'Idempotency-Key': 'once' })));
    // Who comes while the first is under way is told so.
    const keyed = atOnce.filter(({ status }) => status !== 409);
    keyed.push(await test({ 'Idempotency-Key': 'once' }));
    expect(keyed.length).to.be.above(1);
    expect(new Set(keyed.map((response) => JSON.stringify([response.status, response.body]))).size).to.equal(1);
    expect(keyed[0]?.body).to.include({ contactCount: 2 });
    const unkeyed = [await test(), await test()];
    expect(new Set([...keyed, ...unkeyed].map((response) => response.body.taskId)).size).to.equal(3);
    const calls = await a1sOf('Tested');
    expect(calls).to.have.length(3);
    for (const { body: sent } of calls) {
      expect(sent.audience.contactIds).to.deep.equal(body.contactIds);
      expect(dataOf(sent.messages))
        .to.include({ event: 'Broadcast', bizEventCode: 'ask' })
        .and.not.have.property('sourceId');
    }

    await act(id, 'send');
    await progressUntil(id, 'the campaign is completed', ({ status }) => status === 'completed');
    const click = { contactId: body.contactIds[0], actionIndex: 0 };
    const taskIds = [keyed[0]?.body.taskId, (await subTasksOf(tenant, id))[0]?.taskId];
    const clicked = await eventually('both were delivered', () =>
      tenant.sandbox.post<{ items: { eventId: string }[] }>('/sandbox/clicks', {
        clicks: taskIds.map((taskId) => ({ ...click, taskId })),
      }),
    );
    const outreach = stack.database.connect('outreach', 'owner');
    await eventually('both clicks are handled', async () => {
      const eventIds = clicked.items.map(({ eventId }) => eventId);
      const events = await outreach('event_inbox').whereIn('event_id', eventIds).where({ status: 'processed' });
      return events.length === 2;
    });
    const results = await tenant.api.get<Results>(`/campaigns/${id}/results`);
    expect(results.clicks).to.include({ total: 1, repeats: 0 });
    expect([results.audienceCount, results.summary.sent]).to.deep.equal([contacts, contacts]);
  });

  it('retries exactly the contacts that certainly got nothing, linked to the first send, and counts always add up', async () => {
    const second = tenant.contactIds[1500] ?? '';
    await faults({ route: 'A1', mode: 'status', status: 400, code: 'invalid_request', bodyIncludes: `"${second}"` });
    const id = await create('Retried');
    await act(id, 'send');
    const failed = await progressUntil(id, 'it has failed in part', ({ status }) => status === 'partially_failed');
    expect(failed.subTasks).to.have.all.keys('completed', 'rejected');
    const rejected = (await subTasksOf(tenant, id)).find(({ status }) => status === 'rejected');
    expect(rejected?.contactCount).to.equal(1000);
    await faults();
    await tenant.sandbox.put('/sandbox/behaviour', { taskFailureShare: 1 });
    expect((await act(id, 'retry-failed')).status).to.equal(202);
    const again = await progressUntil(id, 'the retry fails at the platform', ({ status, subTasks }) => {
      return status === 'partially_failed' && subTasks.failed?.contacts === 1000;
    });
    expect(again.summary.sent).to.equal(contacts - 1000);
    await tenant.sandbox.put('/sandbox/behaviour', { taskFailureShare: 0 });
    const keyed = await Promise.all([1, 2].map(() => act(id, 'retry-failed', undefined, { 'Idempotency-Key': 'r' })));
    expect(keyed.map(({ status }) => status)).to.deep.equal([202, 202]);
    const done = await progressUntil(id, 'all is completed', ({ status }) => status === 'completed');
    expect([done.audienceCount, done.summary.sent]).to.deep.equal([contacts, contacts]);

    const [first, ...retries] = await stack.database
      .connect(
        'outreach',
        'owner',
      )('dispatch')
      .where({ campaign_id: id })
      .orderBy('number');
    expect(retries.map((retry) => [retry.retryOf, retry.audienceCount])).to.deep.equal([
      [first.dispatchId, 1000],
      [first.dispatchId, 1000],
    ]);
    const parts = (await accepted('Retried')).map(({ body }) => body.audience.contactIds);
    const repeated = parts.filter((part) => part.includes(second));
    expect(repeated).to.have.length(2);
    expect(repeated[0]).to.deep.equal(repeated[1]);
    expect([...parts.filter((part) => !part.includes(second)), repeated[0] ?? []].flat().toSorted()).to.deep.equal(
      tenant.contactIds,
    );
  });

  it('pauses in the middle of a dispatch: nothing more is sent until it is resumed, and nobody gets it twice', async () => {
    await faults({ route: 'A1', mode: 'status', status: 429, code: 'rate_limited', retryAfter: 3, skip: 1 });
    const id = await create('Paused');
    await act(id, 'send');
    await progressUntil(id, 'one is sent', ({ subTasks }) => subTasks.pending?.tasks === 2);
    await eventually('the others are postponed', async () => {
      const waiting = (await subTasksOf(tenant, id)).filter(({ status }) => status === 'pending');
      return waiting.length === 2 && waiting.some(({ error }) => error?.code === 'rate_limited');
    });
    const paused = await act(id, 'pause');
    expect([paused.status, paused.body.status, paused.body.pauseReason]).to.deep.equal([200, 'paused', 'operator']);
    await progressUntil(id, 'no call is under way', ({ subTasks }) => subTasks.pending?.tasks === 2);
    await faults();
    const dueAt = Date.now() + 3500;
    await progressUntil(id, 'what was put off is due', ({ subTasks }) => {
      return Date.now() > dueAt && subTasks.completed?.tasks === 1;
    });
    expect(await accepted('Paused')).to.have.length(1);
    expect((await progressOf(id)).subTasks.pending?.tasks).to.equal(2);
    expect((await act(id, 'resume')).body).to.include({ status: 'sending', pauseReason: null });
    await progressUntil(id, 'the rest is completed', ({ status }) => status === 'completed');
    expect(contactsIn(await accepted('Paused'))).to.deep.equal(tenant.contactIds);
    expect((await act(id, 'pause')).status).to.equal(409);
  });

  it('shows a lost response as unknown at once, keeps it from being sent again, and lets staff resolve it', async () => {
    await faults({ route: 'A1', mode: 'lost-answer', count: 1 });
    const id = await create('Lost', { audience: { type: 'contacts', contactIds: tenant.contactIds.slice(0, 5) } });
    await act(id, 'send');
    await progressUntil(id, 'it is unknown', ({ subTasks }) => subTasks.unknown?.tasks === 1);
    const [lost] = await subTasksOf(tenant, id);
    // Rejected until 20 s after the submission, although the sub-task shows as unknown before that.
    const early = await as(ada, 'POST', `/campaigns/${id}/tasks/${lost?.key}:resolve`, {
      body: { outcome: 'not_sent' },
    });
    expect([early.status, early.body['code']]).to.deep.equal([409, 'conflict']);
    expect((await act<{ code: string }>(id, 'retry-failed')).body.code).to.equal('invalid_state');
    const { items } = await tenant.sandbox.get<{ items: { taskId: string }[] }>('/sandbox/tasks');
    const taskId = items.at(-1)?.taskId;
    const resolved = await as<SubTask>(ada, 'POST', `/campaigns/${id}/tasks/${lost?.key}:resolve`, {
      body: { outcome: 'sent', taskId },
    });
    expect([resolved.status, resolved.body.taskId]).to.deep.equal([200, taskId]);
    await progressUntil(id, 'it is completed', ({ status }) => status === 'completed');
    expect(await a1sOf('Lost')).to.have.length(1);
  });

  it('warns the second of two editors of a draft, and overwrites nothing', async () => {
    const id = await create('Shared');
    const read = await as<Campaign>(ada, 'GET', `/campaigns/${id}`);
    const both = await as<Campaign>(ben, 'GET', `/campaigns/${id}`);
    const match = (response: { headers: Headers }) => ({ 'If-Match': response.headers.get('etag') ?? '' });
    expect(match(both)).to.deep.equal(match(read));
    const first = await as<Campaign>(ben, 'PATCH', `/campaigns/${id}`, {
      body: { note: 'by Ben' },
      headers: match(both),
    });
    expect(first.status).to.equal(200);
    const body = { name: 'by Ada', note: 'by Ada' };
    const late = await as(ada, 'PATCH', `/campaigns/${id}`, { body, headers: match(read) });
    expect([late.status, late.body['code']]).to.deep.equal([412, 'stale']);
    const removed = await as(ada, 'DELETE', `/campaigns/${id}`, { headers: match(read) });
    expect(removed.status).to.equal(412);
    const kept = await as<Campaign>(ada, 'GET', `/campaigns/${id}`);
    expect(kept.body).to.include({ name: 'Shared', note: 'by Ben' });
    // Having read Ben's version, Ada may continue from there.
    const then = await as<Campaign>(ada, 'PATCH', `/campaigns/${id}`, {
      body: { name: 'by Ada' },
      headers: match(kept),
    });
    expect(then.body).to.include({ name: 'by Ada', note: 'by Ben' });
    const atOnce = await Promise.all(
      [ada, ben].map((token, n) =>
        as(token, 'PATCH', `/campaigns/${id}`, { body: { note: `${n}` }, headers: match(then) }),
      ),
    );
    expect(atOnce.map(({ status }) => status).toSorted()).to.deep.equal([200, 412]);
  });

  it('does a dry run that equals the later send, and reports how the audience changed in between', async () => {
    const id = await create('Rehearsed', { messages: [ask] });
    const before = await tenant.sandbox.get<{ total: number }>('/sandbox/calls?limit=1');
    const rehearsed = await act<DryRun>(id, 'dry-run');
    expect(rehearsed.status).to.equal(200);
    const { audienceCount, chunks, requests, warnings } = rehearsed.body;
    expect([audienceCount, chunks.map(({ contactCount }) => contactCount)]).to.deep.equal([
      contacts,
      [1000, 1000, 100],
    ]);
    expect(warnings.map(({ code }) => code)).to.include('source_pending');
    expect((await tenant.sandbox.get<{ total: number }>('/sandbox/calls?limit=1')).total).to.equal(before.total);

    const gone = tenant.contactIds[2050] ?? '';
    await tenant.sandbox.post('/sandbox/contacts:act', { serviceNumberId, action: 'unsubscribe', contactIds: [gone] });
    await eventually('the contact has unsubscribed', async () => {
      const { body } = await as<{ unsubscribed: boolean }>(ada, 'GET', `/contacts/${serviceNumberId}/${gone}`);
      return body.unsubscribed;
    });
    const moved = await act<{ code: string }>(id, 'send', { expectedReachableCount: contacts });
    expect([moved.status, moved.body.code]).to.deep.equal([409, 'audience_changed']);
    expect((await act(id, 'send', { expectedReachableCount: contacts - 1 })).status).to.equal(202);
    await progressUntil(id, 'the campaign is completed', ({ status }) => status === 'completed');
    const drift = await tenant.api.get<AudienceDrift>(`/campaigns/${id}/audience-drift`);
    expect([drift.added, drift.removed]).to.deep.equal([[], [{ contactId: gone, reason: 'unsubscribed' }]]);

    // Apart from the keys and the source, which did not exist yet, the bodies equal those that the platform got.
    const sent = (await accepted('Rehearsed')).map(({ body }) => body);
    const first = (list: A1Call['body'][]) =>
      list.find(({ audience }) => audience.contactIds.includes(tenant.contactIds[0] ?? ''));
    const [shown, real] = [first(requests as A1Call['body'][]), first(sent)];
    expect(real).to.deep.equal({ ...shown, messages: real?.messages });
    const { subTaskKey, sourceId, ...data } = dataOf(real?.messages ?? []);
    expect({ ...data, subTaskKey: 'dry-run-1' }).to.deep.equal(dataOf(shown?.messages ?? []));
    expect([typeof subTaskKey, typeof sourceId]).to.deep.equal(['string', 'string']);
    expect(contactsIn(await accepted('Rehearsed'))).to.deep.equal(tenant.contactIds.filter((one) => one !== gone));
  });
});
