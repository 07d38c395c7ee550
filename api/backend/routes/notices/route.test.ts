import { expect } from 'chai';
import { type Notice, noticeKinds } from '#domain/api/notices.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { contactId } from '#test/support/services/backend.ts';
import { eventually } from '#test/support/time/eventually.ts';

interface Listed {
  items: Notice[];
  nextCursor: string | null;
  unread: number;
}

describe('notices', () => {
  const backend = useTwoTenants({ contacts: 5 });
  let olga = '';
  let vera = '';
  let ada = '';
  before(async () => {
    [olga, vera, ada] = await Promise.all([
      backend.token('a', 'marketing_operator', 'olga'),
      backend.token('a', 'viewer', 'vera'),
      backend.token('a', 'tenant_admin', 'ada'),
    ]);
    await backend.db('tenant').where({ tenant_id: 'a' }).update({ sends_need_approval: 2 });
  });
  afterEach(() => backend.db('notice_reader').delete());

  const list = async (token?: string, query = ''): Promise<Listed> =>
    (await backend.call('GET', `/notices${query}`, token === undefined ? {} : { token })).body;
  const kinds = async (token?: string) => (await list(token)).items.map(({ kind }) => kind);
  async function asked(): Promise<{ id: string; approvalId: string }> {
    const contactIds = [1, 2, 3].map((n) => contactId(n));
    const id = await backend.draft({ audience: { type: 'contacts', contactIds } });
    const { body } = await backend.act(id, 'send');
    return { id, approvalId: body.approval.approvalId };
  }

  it('tell whoever may decide about a send, not who asked or may only read, until somebody has decided; then who asked', async () => {
    const { id, approvalId } = await asked();
    expect([await kinds(), await kinds(vera)]).to.deep.equal([[], []]);
    const { items, unread } = await list(olga);
    expect(unread).to.equal(1);
    expect(items[0]).to.deep.include({ kind: 'approval_asked', serviceNumberId: 'sn-1', text: null, readAt: null });
    expect(items[0]?.subject).to.deep.include({ type: 'campaign', id });
    await backend.act(id, 'reject', { token: olga, body: { approvalId, reason: 'Too soon' } });
    expect(await kinds(olga)).to.deep.equal([]);
    const [answer] = (await list()).items;
    expect(answer).to.deep.include({ kind: 'approval_rejected', text: 'Too soon' });
    const { id: second, approvalId: other } = await asked();
    await backend.act(second, 'approve', { token: olga, body: { approvalId: other } });
    expect(await kinds()).to.deep.equal(['approval_approved', 'approval_rejected']);
    expect(await kinds(backend.foreign)).to.deep.equal([]);
    await backend.db('send_approval').delete();
  });

  it('tell of what the service has stopped, and of what failed, for as long as it is so', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => backend.draft()));
    const states = [
      ['paused', 'unauthorized'],
      ['paused', 'deadline'],
      ['paused', 'operator'],
      ['failed', null],
      ['partially_failed', null],
    ] as const;
    for (const [index, [status, reason]] of states.entries())
      await backend.db('campaign').where({ campaign_id: ids[index] }).update({ status, pause_reason: reason });
    const told = await list(olga);
    expect(told.items.map(({ kind, subject, text }) => [kind, subject.id, text])).to.deep.equal([
      ['campaign_partly_failed', ids[4], null],
      ['campaign_failed', ids[3], null],
      ['deadline_passed', ids[1], 'deadline'],
      ['campaign_paused', ids[0], 'unauthorized'],
    ]);
    await backend.db('campaign').whereIn('campaign_id', ids).update({ status: 'sending', pause_reason: null });
    expect(await kinds(olga)).to.deep.equal([]);
    await backend.db('campaign').where({ campaign_id: ids[0] }).update({ status: 'paused', pause_reason: 'late' });
    expect(await kinds(olga)).to.deep.equal(['campaign_paused']);
    await backend.db('campaign').whereIn('campaign_id', ids).update({ status: 'draft', pause_reason: null });
  });

  it('tell administrators alone of an endpoint that fails, until it is active again', async () => {
    const url = 'https://receiver.example/';
    const body = { url, eventTypes: ['campaign.sent'] };
    const { endpointId } = (await backend.call('PUT', '/webhook', { token: ada, body })).body;
    const since = new Date(Date.now() - 25 * 3_600_000);
    await backend.db('webhook').update({ paused_for: 'failing', failures: 3, failing_since: since });
    expect(await kinds(olga)).to.deep.equal([]);
    const [told] = (await list(ada)).items;
    expect(told).to.deep.include({ kind: 'endpoint_failing', serviceNumberId: null });
    expect(told?.subject).to.deep.equal({ type: 'webhook', id: endpointId, name: url });
    await backend.call('PATCH', `/webhook-endpoints/${endpointId}`, { token: ada, body: { status: 'active' } });
    expect(await kinds(ada)).to.deep.equal([]);
  });

  it('tell those who look after orders, too, of refunds, for as long as the order service does', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const later = new Date(Date.now() + 5000);
    const refunds = [
      { refundId: 're-1', orderId: 'or-1', orderNo: '20261128-A', since },
      { refundId: 're-2', orderId: null, orderNo: null, since },
    ];
    backend.waitingRefunds.set('a', refunds);
    await backend
      .db('app_user')
      .where({ platform_user_id: 'vera' })
      .update({ roles: ['viewer', 'order_admin'] });
    expect([await kinds(ada), await kinds(backend.foreign)]).to.deep.equal([[], []]);
    const told = await list(vera);
    expect(told.items.map(({ kind, at, subject }) => [kind, at, subject])).to.deep.equal([
      ['refund_needs_staff', since, { type: 'refund', id: 're-2', name: 're-2' }],
      ['refund_needs_staff', since, { type: 'order', id: 'or-1', name: '20261128-A' }],
    ]);
    expect(told.unread).to.equal(2);
    backend.waitingRefunds.set('a', new Error('away'));
    backend.setNow(later);
    expect((await list(vera)).unread).to.equal(2);
    await backend.call('PUT', '/notices/settings', { token: vera, body: { refund_needs_staff: false } });
    expect(await list(vera)).to.deep.equal({ items: [], nextCursor: null, unread: 0 });
    await backend.call('PUT', '/notices/settings', { token: vera, body: {} });
    backend.waitingRefunds.set('a', refunds.slice(0, 1));
    backend.setNow(new Date(later.getTime() + 5000));
    expect((await list(vera)).unread).to.equal(1);
    await backend
      .db('app_user')
      .where({ platform_user_id: 'vera' })
      .update({ roles: ['viewer'] });
    backend.setNow(null);
    expect(await kinds(vera)).to.deep.equal([]);
  });

  it('are read up to a moment, by each person alone, page by page', async () => {
    const made = [await asked(), await asked(), await asked()];
    const first = await list(olga, '?limit=2');
    const rest = await list(olga, `?limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
    expect([...first.items, ...rest.items].map(({ subject }) => subject.id)).to.deep.equal(
      made.map(({ id }) => id).toReversed(),
    );
    expect(rest.nextCursor).to.equal(null);
    const until = first.items[1]?.at;
    const { status, body } = await backend.call('POST', '/notices:read', { token: olga, body: { until } });
    expect([status, body]).to.deep.equal([200, { unread: 1 }]);
    const after = await list(olga);
    expect(after.items.map(({ readAt }) => readAt !== null)).to.deep.equal([false, true, true]);
    expect((await list(olga, '?unread=true')).items).to.have.length(1);
    expect((await list(ada)).unread).to.equal(3);
    await backend.call('POST', '/notices:read', { token: olga, body: { until: '2020-01-01T00:00:00Z' } });
    expect((await list(olga)).unread).to.equal(1);
    await backend.db('send_approval').delete();
  });

  it('are not told of kinds that a person has switched off', async () => {
    const settings = (await backend.call('GET', '/notices/settings', { token: olga })).body;
    expect(settings).to.deep.equal(Object.fromEntries(noticeKinds.map((kind) => [kind, true])));
    const put = await backend.call('PUT', '/notices/settings', { token: olga, body: { approval_asked: false } });
    expect([put.status, put.body]).to.deep.equal([200, { ...settings, approval_asked: false }]);
    await asked();
    expect([await kinds(olga), await kinds(ada)]).to.deep.equal([[], ['approval_asked']]);
    const unknown = await backend.call('PUT', '/notices/settings', { token: olga, body: { birthday: true } });
    expect(unknown.status).to.equal(400);
    await backend.db('send_approval').delete();
  });

  it('come by a stream, within seconds', async () => {
    const response = await fetch(`${backend.base}/internal/v1/notices/stream`, {
      headers: { authorization: `Bearer ${olga}` },
    });
    let text = '';
    const reading = (async () => {
      for await (const part of response.body ?? []) text += Buffer.from(part).toString();
    })();
    await eventually('the first', () => text.includes('data: {"unread":0}'));
    const { id, approvalId } = await asked();
    await eventually('one is unread', () => text.includes('event: notices') && text.includes('data: {"unread":1}'));
    await backend.act(id, 'withdraw', { body: { approvalId } });
    await eventually('it is solved', () => text.trim().split('data: ').at(-1)?.startsWith('{"unread":0}') ?? false);
    backend.endStreams();
    await reading;
  });
});
