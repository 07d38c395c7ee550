import { expect } from 'chai';
import type { ApprovalData } from '#domain/orders/administration/approvals.ts';
import type { AttentionData, CallbackPage, StaffOrderData } from '#domain/orders/responses.ts';
import { rows } from '#db/database.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { PayReply } from '../support/orders-service.ts';
import { ok, triple } from '../support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const tenantId = 'shop';
const as = (userId: string) => ({ userId, name: `Name of ${userId}`, tenantId, roles: ['order_admin'] });
const [anna, ben, cleo] = [as('anna'), as('ben'), as('cleo')];
const administrator = { ...as('root'), roles: ['order_admin', 'tenant_admin'] };

describe('refunds that another member of staff approves', function () {
  this.timeout(180_000);
  const shop = useOrders({ points: { tenant: 10_000 } });

  const record = { name: tenantId, businessType: 0, PAYGW_shopId: `paygw-${tenantId}` };
  const putTenant = (more: object, by: object = administrator) =>
    shop.request('PUT', `/admin/tenants/${tenantId}`, { ...record, ...more }, by);
  const limit = async (above: number | null) => ok(await putTenant({ refundsNeedApprovalAbove: above }));
  beforeEach(() => limit(50));

  async function done(body: object = cash) {
    const order = await shop.create(tenantId, body);
    ok(await shop.payUntilKnown(order, tenantId));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, tenantId, '30/30/30');
    return { order, charge: shop.gateway.chargeOf(order.orderNo) };
  }
  async function flagged() {
    const order = await shop.create(tenantId, cash);
    ok(await shop.payUntilKnown(order, tenantId));
    const charge = shop.gateway.chargeOf(order.orderNo);
    Object.assign(charge, { status: 'paid', amount: 60 });
    await shop.gateway.callback(charge, { amount: 60 });
    await eventually('flagged', async () => (await stored(order)).flags.length > 0);
    return { order, charge };
  }
  const stored = async ({ orderId }: { orderId: string }) =>
    ok(await shop.request('GET', `/admin/orders/${orderId}`, undefined, cleo)).data as unknown as StaffOrderData;
  const refund = ({ orderId }: { orderId: string }, body: object, by: object = anna) =>
    shop.post(`/admin/orders/${orderId}/refund`, { reason: 'broken', ...body }, by);
  const decide = (approvalId: string, body: object, by: object) =>
    shop.post(`/admin/approvals/${approvalId}/resolve`, body, by);
  const approve = (approvalId: string, by: object = ben) => decide(approvalId, { outcome: 'approve' }, by);
  async function waiting(order: { orderId: string }): Promise<ApprovalData> {
    const found = (await stored(order)).approvals.find(({ status }) => status === 'waiting');
    if (!found) throw new Error('no approval waits');
    return found;
  }
  const asked = ({ chargeId }: { chargeId: string }) =>
    shop.gateway.of('refund').filter((call) => call.chargeId === chargeId);
  const refundRows = ({ orderId }: { orderId: string }) =>
    rows(shop.database, 'select * from refund where order_id = :orderId', { orderId });
  const entries = ({ orderId }: { orderId: string }) =>
    rows<{ actor: string; action: string; after: Record<string, unknown> }>(
      shop.database,
      `select actor, action, after from audit_entry where subject_id = :orderId order by entry_id`,
      { orderId },
    );
  const attention = async () =>
    (ok(await shop.request('GET', '/admin/attention', undefined, cleo)).data as unknown as AttentionData).orders;

  it('is decided by tenant administrators, and nothing else of the tenant changes', async () => {
    const change = (above: unknown, by: object = administrator, id = tenantId) =>
      shop.request('PATCH', `/admin/tenants/${id}`, { refundsNeedApprovalAbove: above }, by);
    const without = ({ data: { version: _version, etag: _etag, ...tenant } }: Pick<PayReply, 'data'>) => tenant;
    const read = async () => without(ok(await shop.request('GET', `/admin/tenants/${tenantId}`, undefined, anna)));
    const before = await read();
    expect(before).to.include({ ...record, tenantId, refundsNeedApprovalAbove: 50 });
    expect(await change(70, anna), 'by an order administrator').to.include({ status: 403, code: 90003 });
    expect(await change(70, administrator, 'other'), 'of another tenant').to.include({ status: 403, code: 90003 });
    for (const wrong of [-1, 0.001, '70', undefined]) expect(await change(wrong)).to.include({ code: 90001 });
    expect(await read()).to.deep.equal(before);
    expect(without(ok(await change(70.5)))).to.deep.equal({ ...before, refundsNeedApprovalAbove: 70.5 });
    expect(without(ok(await change(null)))).to.deep.equal({ ...before, refundsNeedApprovalAbove: null });
    const log = await rows<{ actor: string; action: string; before: object; after: object }>(
      shop.database,
      `select actor, action, before, after from audit_entry where subject_id = :tenantId order by entry_id desc limit 1`,
      { tenantId },
    );
    expect(log).to.have.length(1);
    expect(log[0]).to.deep.include({ actor: 'root', action: 'tenant.put' });
    expect(log[0]?.before).to.include({ refundsNeedApprovalAbove: 70.5 });
    expect(log[0]?.after).to.include({ refundsNeedApprovalAbove: null });
    const nobody = { userId: 'root', tenantId: 'nobody', roles: ['order_admin', 'tenant_admin'] };
    expect(await change(1, nobody, 'nobody'), 'no such tenant').to.include({ code: 90200 });
  });

  it('waits without touching anything, is approved by another, and is refunded once', async () => {
    const { order, charge } = await done();
    const waited = await attention();
    const response = await refund(order, { amount: 50.01, key: 'k' });
    expect(response).to.include({ status: 202, code: 1000 });
    expect(triple(response.data)).to.equal('30/30/30');
    const approval = await waiting(order);
    expect(approval).to.include({ kind: 'order_refund', amount: 50.01, currency: 'TWD', reason: 'broken' });
    expect(approval).to.include({ requestedBy: 'anna', requestedByName: 'Name of anna', decidedBy: null });
    expect(await attention()).to.equal(waited + 1);
    expect((await stored(order)).needsStaff).to.equal(true);
    expect(await refundRows(order)).to.deep.equal([]);

    expect(await approve(approval.approvalId, anna), 'by who asked').to.include({ status: 403, code: 90003 });
    expect(await decide(approval.approvalId, { outcome: 'withdraw' }, ben)).to.include({ code: 90003 });
    expect(await decide(approval.approvalId, { outcome: 'reject' }, ben), 'without a reason').to.include({
      code: 90001,
    });
    expect(await approve(approval.approvalId, { ...ben, tenantId: 'elsewhere' })).to.include({ code: 90200 });
    expect(await approve(approval.approvalId, { ...ben, roles: ['tenant_admin'] })).to.include({ code: 90003 });
    expect(asked(charge)).to.deep.equal([]);

    expect(ok(await approve(approval.approvalId)).data).to.include({ status: 'approved', decidedBy: 'ben' });
    await shop.until(order, tenantId, '30/30/70');
    expect(asked(charge).map(({ body }) => body['amount'])).to.deep.equal([50.01]);
    const shown = await stored(order);
    expect(shown.refunds.map(({ requestedBy, approvedBy }) => [requestedBy, approvedBy])).to.deep.equal([
      ['anna', 'ben'],
    ]);
    expect(shown.needsStaff).to.equal(false);
    expect(await attention()).to.equal(waited);
    expect((await entries(order)).map(({ actor, action }) => [actor, action])).to.deep.equal([
      ['anna', 'approval.request'],
      ['ben', 'approval.approve'],
    ]);
    expect((await entries(order))[1]?.after).to.deep.include({ requestedBy: 'anna', amount: 50.01 });
  });

  it('up to the amount nobody is asked; parts of one order count together, and points alone do not', async () => {
    const { order, charge } = await done();
    ok(await refund(order, { amount: 30, key: 'a' }));
    await shop.until(order, tenantId, '30/30/70');
    ok(await refund(order, { amount: 20, key: 'b' }));
    await eventually('both are refunded', () => charge.refundedAmount === 50);
    ok(await refund(order, { amount: 0.01, key: 'c' }));
    expect(await waiting(order)).to.include({ amount: 0.01 });
    expect(charge.refundedAmount).to.equal(50);
    const points = await shop.create(tenantId, { pointsPlan: { tenantPoints: 400 } });
    ok(await shop.payUntilKnown(points, tenantId));
    expect(triple(ok(await refund(points, { restorePoints: true, key: 'p' })).data)).to.equal('30/50/0');
  });

  it('a key asks once; with another body 90205; what was rejected with it stays so', async () => {
    const { order, charge } = await done();
    const both = await Promise.all([refund(order, { key: 'k' }), refund(order, { key: 'k' })]);
    expect(both.map(({ code }) => code)).to.deep.equal([1000, 1000]);
    expect(await refund(order, { amount: 100, key: 'k' })).to.include({ code: 90205 });
    const { approvalId } = await waiting(order);
    ok(await decide(approvalId, { outcome: 'reject', reason: 'Not broken at all' }, ben));
    ok(await refund(order, { key: 'k' }));
    expect((await stored(order)).approvals.map(({ status, decisionReason }) => [status, decisionReason])).to.deep.equal(
      [['rejected', 'Not broken at all']],
    );
    expect(await approve(approvalId, cleo)).to.include({ status: 409, code: 90202 });
    expect(asked(charge)).to.deep.equal([]);
    expect((await entries(order)).map(({ action }) => action)).to.deep.equal(['approval.request', 'approval.reject']);
  });

  it('of two who approve at once one does; who asked may withdraw instead', async () => {
    const { order, charge } = await done();
    ok(await refund(order, { key: 'k' }));
    const { approvalId } = await waiting(order);
    const codes = (await Promise.all([approve(approvalId, ben), approve(approvalId, cleo)])).map(({ code }) => code);
    expect(codes.toSorted()).to.deep.equal([1000, 90202]);
    await shop.until(order, tenantId, '30/30/60');
    expect(asked(charge)).to.have.length(1);
    expect(await refundRows(order)).to.have.length(1);

    const { order: other } = await done();
    ok(await refund(other, { key: 'k' }));
    ok(await decide((await waiting(other)).approvalId, { outcome: 'withdraw' }, anna));
    expect((await stored(other)).approvals.map(({ status }) => status)).to.deep.equal(['withdrawn']);
    expect(await refundRows(other)).to.deep.equal([]);
  });

  it('what is refunded otherwise meanwhile leaves too little: the request lapses', async () => {
    const { order, charge } = await done();
    ok(await refund(order, { key: 'all', restorePoints: true }));
    ok(await refund(order, { amount: 90, key: 'most' }));
    const [all, most] = (await stored(order)).approvals;
    ok(await refund(order, { amount: 5, key: 'little' }));
    await shop.until(order, tenantId, '30/30/70');
    expect((await stored(order)).approvals.map(({ status }) => status)).to.deep.equal(['lapsed', 'waiting']);
    expect(await approve(all?.approvalId ?? '')).to.include({ code: 90202 });
    ok(await approve(most?.approvalId ?? ''));
    await eventually('it is refunded', () => charge.refundedAmount === 95);
    expect(asked(charge)).to.have.length(2);
  });

  it('the same for the money of a flagged order, unless somebody completes it first', async () => {
    const { order, charge } = await flagged();
    expect(
      triple(ok(await shop.post(`/admin/orders/${order.orderId}/resolve`, { outcome: 'refund' }, anna)).data),
    ).to.equal('20/0/10');
    const approval = await waiting(order);
    expect(approval).to.include({ kind: 'flag_refund', amount: 60, requestedBy: 'anna' });
    ok(await shop.post(`/admin/orders/${order.orderId}/resolve`, { outcome: 'refund' }, ben));
    expect((await stored(order)).approvals).to.have.length(1);
    expect(shop.gateway.of('cancel').filter(({ chargeId }) => chargeId === charge.chargeId)).to.deep.equal([]);
    ok(await approve(approval.approvalId));
    await shop.until(order, tenantId, '40/0/60');
    expect(asked(charge)).to.have.length(1);

    const second = await flagged();
    ok(await shop.post(`/admin/orders/${second.order.orderId}/resolve`, { outcome: 'refund' }, anna));
    const { approvalId } = await waiting(second.order);
    ok(await shop.post(`/admin/orders/${second.order.orderId}/resolve`, { outcome: 'complete' }, ben));
    await shop.until(second.order, tenantId, '30/30/30');
    expect(await approve(approvalId, cleo)).to.include({ code: 90202 });
    expect(asked(second.charge)).to.deep.equal([]);
  });

  it('the same for money that fits no order', async () => {
    const order = await shop.create(tenantId, cash);
    ok(await shop.payUntilKnown(order, tenantId));
    const charge = {
      ...shop.gateway.chargeOf(order.orderNo),
      chargeId: 'ch-stranger',
      orderNo: 'nobody knows',
      amount: 80,
    };
    shop.gateway.charges.set(charge.chargeId, Object.assign(charge, { status: 'paid' as const }));
    await shop.gateway.callback(charge, { eventId: 'stranger' });
    const list = async () =>
      (ok(await shop.request('GET', '/admin/callbacks/unmatched', undefined, cleo)).data as unknown as CallbackPage)
        .items;
    const resolve = (outcome: string, by: object) =>
      shop.post('/admin/callbacks/stranger/resolve', { outcome, note: 'seen' }, by);
    ok(await resolve('refund', anna));
    const [shown] = await list();
    expect(shown?.approval).to.include({ kind: 'callback_refund', amount: 80, requestedBy: 'anna', reason: 'seen' });
    expect(asked(charge)).to.deep.equal([]);
    expect(await approve(shown?.approval?.approvalId ?? '', anna)).to.include({ code: 90003 });
    ok(await approve(shown?.approval?.approvalId ?? ''));
    await eventually('it is refunded', () => charge.refundedAmount === 80);
    expect(asked(charge)).to.have.length(1);
    expect(await list()).to.deep.equal([]);
  });

  it('only a tenant administrator changes the amount; other writes of the tenant leave it as it is', async () => {
    const amount = async () => (await shop.database('tenant').where({ tenant_id: tenantId }).first()) as unknown;
    expect(await putTenant({ refundsNeedApprovalAbove: null }, anna)).to.include({ status: 403, code: 90003 });
    expect(await putTenant({ refundsNeedApprovalAbove: 1000 }, anna)).to.include({ code: 90003 });
    expect(await putTenant({ refundsNeedApprovalAbove: 50 }, anna)).to.include({ code: 1000 });
    expect(await putTenant({}, anna)).to.include({ code: 1000 });
    expect(await amount()).to.include({ refundsNeedApprovalAboveMinor: 5000 });
    const { order } = await done();
    ok(await refund(order, { key: 'k' }));
    await limit(null);
    expect(await waiting(order), 'what waits goes on waiting').to.include({ amount: 100 });
    ok(await refund(order, { amount: 99, key: 'off' }));
    await shop.until(order, tenantId, '30/30/70');
  });
});
