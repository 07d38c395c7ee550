import { expect } from 'chai';
import {
  createGatewayExchange,
  createPaymentGateway,
  GatewayUnclear,
} from '../../../clients/payment-gateway/client.ts';
import { startFakeGateway } from './fake-gateway.ts';

describe('the gateway of the tests behaves as gateways do', () => {
  let fake: Awaited<ReturnType<typeof startFakeGateway>>;
  const exchange = createGatewayExchange({ timeoutMs: 60_000 });
  before(async () => {
    fake = await startFakeGateway();
  });
  after(() => Promise.all([fake.stop(), exchange.destroy()]));

  const gateway = () => createPaymentGateway({ baseUrl: fake.baseUrl, key: 'key', exchange });
  async function charge(orderNo: string, more: object = {}): Promise<string> {
    const outcome = await gateway().createCharge(`charge:${orderNo}`, {
      shopId: 'shop',
      orderNo,
      amount: 10.1,
      currency: 'TWD',
      description: 'd',
      callbackURL: `${fake.baseUrl}/nobody`,
      expiresAt: '2099-01-01T00:00:00Z',
      ...more,
    });
    if (outcome.kind !== 'created') throw new Error(outcome.kind);
    return outcome.chargeId;
  }

  it('B7: a key gets its first response for ever, a rejection too', async () => {
    const chargeId = await charge('early');
    expect(await gateway().refundCharge('early', chargeId, null)).to.deep.equal({
      kind: 'not_paid',
      status: 'pending',
    });
    await fake.pay('early', { lost: true });
    expect(await gateway().refundCharge('early', chargeId, null)).to.include({ kind: 'not_paid' });
    expect(await gateway().readCharge(chargeId)).to.include({ status: 'paid', refundedAmount: 0 });
    expect(await gateway().refundCharge('again', chargeId, null)).to.deep.equal({ kind: 'confirmed' });
    expect(await gateway().refundCharge('again', chargeId, null)).to.deep.equal({ kind: 'confirmed' });
  });

  it('B7: refunds in parts, until nothing is left', async () => {
    const chargeId = await charge('parts');
    await fake.pay('parts', { lost: true });
    const refund = (key: string, amount: number | null) => gateway().refundCharge(key, chargeId, amount);
    expect(await refund('part:1', 10.05)).to.deep.equal({ kind: 'confirmed' });
    expect(await refund('part:2', 0.06)).to.deep.equal({ kind: 'rejected', code: 'amount_too_large' });
    expect(await refund('part:2', 0.05)).to.deep.equal({ kind: 'rejected', code: 'amount_too_large' });
    expect(await refund('part:0', 0)).to.deep.equal({ kind: 'rejected', code: 'invalid_request' });
    expect(await gateway().readCharge(chargeId)).to.include({ status: 'paid', refundedAmount: 10.05 });
    expect(await refund('part:3', null)).to.deep.equal({ kind: 'confirmed' });
    expect(await gateway().readCharge(chargeId)).to.include({ status: 'refunded', refundedAmount: 10.1 });
    expect(await refund('part:4', null)).to.deep.equal({ kind: 'already_refunded' });
    expect(await refund('part:1', 10.05)).to.deep.equal({ kind: 'confirmed' });
  });

  it('B15: lists a shop’s charges by the time they were created or paid, in pages of 100', async () => {
    const orders = Array.from({ length: 101 }, (_, index) => `listed-${index}`);
    for (const orderNo of orders) await charge(orderNo, { shopId: 'busy' });
    const period = { shopId: 'busy', from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
    const first = await gateway().listCharges({ ...period, cursor: null });
    const second = await gateway().listCharges({ ...period, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ orderNo }) => orderNo)).to.deep.equal(orders);
    expect([first.items.length, second.nextCursor]).to.deep.equal([100, null]);
    Object.assign(fake.chargeOf('listed-0'), { createdAt: '2026-11-20T00:00:00Z', paidAt: '2026-11-21T00:00:00Z' });
    const on = async (day: number) => {
      const [from, to] = [`2026-11-${day}T00:00:00Z`, `2026-11-${day + 1}T00:00:00Z`];
      return (await gateway().listCharges({ ...period, from, to, cursor: null })).items.map(({ orderNo }) => orderNo);
    };
    expect([await on(19), await on(20), await on(21)]).to.deep.equal([[], ['listed-0'], ['listed-0']]);
  });

  it('B3: a payment whose callback is lost shows only when the charge is read', async () => {
    const chargeId = await charge('quiet');
    expect(await fake.pay('quiet', { lost: true })).to.equal(null);
    const { status, paidAt } = await gateway().readCharge(chargeId);
    expect([status, paidAt]).to.deep.equal(['paid', fake.chargeOf('quiet').paidAt]);
    await gateway().cancelCharge(await charge('ended'));
    expect(await fake.pay('ended', { lost: true })).to.equal(null);
    expect(fake.chargeOf('ended')).to.include({ status: 'cancelled' }).and.to.not.have.property('paidAt');
  });

  it('fails each operation on demand, also a list', async () => {
    fake.state.fault = ({ operation }) => (operation === 'list' ? { response: [503, {}] } : undefined);
    const period = { shopId: 's', from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z', cursor: null };
    const failure: unknown = await gateway()
      .listCharges(period)
      .catch((error: unknown) => error);
    fake.state.fault = () => undefined;
    expect(failure).to.be.instanceOf(GatewayUnclear);
    expect(fake.of('list').at(-1)?.query).to.deep.equal({ shopId: 's', from: period.from, to: period.to });
    expect((await gateway().listCharges(period)).items).to.deep.equal([]);
  });
});
