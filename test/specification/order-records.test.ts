import { expect } from 'chai';
import { ok, triple } from '../orders/support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

const enterprise = 'enterprise';
const merchant = 'merchant';

/** What is stored and returned for an order: S1's records, create request and item response, row by row. */
describe('S1: the records of an order', () => {
  const shop = useOrders({
    worker: false,
    tenants: {
      [enterprise]: {},
      [merchant]: { businessType: 1 },
      earning: { earnAttributes: ['birthday', 'visit'] },
    },
  });
  const create = (body: object, tenantId = enterprise) =>
    shop.post('/user/order/create', { tenantId, ...body }, { tenantId });
  const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
  /** The order as its payer reads it after creating it with this body. */
  const stored = async (body: object, tenantId = enterprise) =>
    shop.item(ok(await create(body, tenantId)).data, tenantId);
  const linesOf = (order: Record<string, unknown>) => order['items'] as Record<string, unknown>[];
  const expectCode = async (code: number, body: object, tenantId = enterprise) =>
    expect((await create(body, tenantId)).code, JSON.stringify(body)).to.equal(code);

  before(async () => {
    await shop.putGoods('mug', enterprise, {
      stock: 5,
      paymentOptions: [{ paymentOptionId: 'o-1', name: 'DEFAULT', pointAmount: 20, cashAmount: 1.5 }],
    });
    await shop.putGoods('plans', enterprise, {
      paymentOptions: [
        { paymentOptionId: 'half', name: 'half', pointAmount: 10, cashAmount: 5 },
        { paymentOptionId: 'full', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 },
      ],
    });
    await shop.putGoods('undecided', enterprise, {
      paymentOptions: [
        { paymentOptionId: 'a', name: 'a', pointAmount: 1, cashAmount: 0 },
        { paymentOptionId: 'b', name: 'b', pointAmount: 2, cashAmount: 0 },
      ],
    });
    await shop.putGoods('rated', merchant, {
      pricingType: 'RATE_CONVERTED',
      paymentOptions: [{ paymentOptionId: 'r', name: 'DEFAULT', pointAmount: 0, cashAmount: 30 }],
    });
  });

  it('S1-R1: businessType 0 adds points to the cash, businessType 1 deducts them from it', async () => {
    const points = { tenantPoints: 40 };
    expect(await stored({ ...cash, pointsPlan: points }, enterprise)).to.include({ totalMoney: 100 });
    expect(await stored({ ...cash, moneyAmount: 60, pointsPlan: points }, merchant)).to.include({ totalMoney: 60 });
    const staff = { tenantId: enterprise, roles: ['order_admin'] };
    const put = await shop.request('PUT', `/admin/tenants/${enterprise}`, { name: 'x', businessType: 2 }, staff);
    expect(put.code).to.equal(90001);
  });

  it('S1-R5, S1-LM6: 4 walletPoints are 1 unit; merchant goods take tenant points 1:1', async () => {
    expect(await stored({ ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } })).to.include({ totalMoney: 99 });
    const goods = { items: [{ goodsId: 'rated' }], pointsPlan: { tenantPoints: 12 } };
    expect(await stored(goods, merchant)).to.include({ grossMoneyAmount: 30, totalMoney: 18 });
  });

  it('S1-OR1, S1-EP1, S1-ID4: create returns orderId, a display number and 0/0/0; item has the same number', async () => {
    const { data } = ok(await create(cash));
    expect(data.orderId).to.be.a('string').and.not.equal(data.orderNo);
    expect(data.orderNo).to.match(/^\d{8}-[A-Z2-9]{10}$/);
    expect(triple(data)).to.equal('0/0/0');
    expect(await shop.item(data, enterprise)).to.include({ orderNo: data.orderNo });
    const another = ok(await create(cash)).data;
    expect([another.orderId, another.orderNo]).to.not.include.members([data.orderId, data.orderNo]);
  });

  it('S1-OR2, S1-CR1: an order belongs to the tenant it was created under; without one it is rejected', async () => {
    expect(await stored(cash)).to.include({ tenantId: enterprise });
    expect((await shop.post('/user/order/create', cash, { tenantId: enterprise })).code).to.equal(90001);
  });

  it('S1-OR3, S1-CR2, S1-CR3: title and description are stored as given, and optional', async () => {
    const words = { title: '冬季 menu', description: 'line one\nline two' };
    expect(await stored({ ...cash, ...words })).to.include(words);
    expect(await stored(cash)).to.include({ title: null, description: null });
    await expectCode(90001, { ...cash, title: 7 });
    await expectCode(90001, { ...cash, description: 'x'.repeat(2001) });
  });

  it('S1-OR4, S1-OR5, S1-OR6, S1-ID1: gross before deductions, moneyAmount after them, equal to totalMoney', async () => {
    await expectCode(90203, { ...cash, moneyAmount: 97.5, pointsPlan: { walletPoints: 40 } });
    const order = await stored({ grossMoneyAmount: 100.5, moneyAmount: 90.5, pointsPlan: { walletPoints: 40 } });
    expect(order).to.include({ grossMoneyAmount: 100.5, moneyAmount: 90.5, totalMoney: 90.5 });
  });

  it('S1-CR4, S1-CR5: non-goods cash comes in pairs; goods amounts are computed if absent', async () => {
    await expectCode(90203, { moneyAmount: 10 });
    await expectCode(90203, { grossMoneyAmount: 10 });
    await expectCode(90203, { grossMoneyAmount: 0, moneyAmount: 5 }, merchant);
    expect(await stored({ pointsPlan: { tenantPoints: 3 } })).to.include({ grossMoneyAmount: 0, totalMoney: 0 });
    const goods = { items: [{ goodsId: 'mug' }], pointsPlan: { tenantPoints: 20 } };
    expect(await stored(goods)).to.include({ grossMoneyAmount: 1.5, totalMoney: 1.5 });
    await expectCode(90203, { ...goods, moneyAmount: 2 });
  });

  it('S1-OR7, S1-CR6, S1-ID2: the whole points plan is stored, and nulls read as 0 and []', async () => {
    await shop.putCoupon('c-plan', enterprise);
    const pointsPlan = { tenantPoints: 5, districtPoints: 2, walletPoints: 8, couponIds: ['c-plan'] };
    expect((await stored({ ...cash, moneyAmount: 98, pointsPlan }))['pointsPlan']).to.deep.equal({
      ...pointsPlan,
      earnLimitInfos: [],
    });
    const nothing = {
      tenantPoints: null,
      districtPoints: null,
      walletPoints: null,
      couponIds: null,
      earnLimitInfos: null,
    };
    for (const plan of [null, nothing])
      expect((await stored({ ...cash, pointsPlan: plan }))['pointsPlan']).to.deep.equal({
        tenantPoints: 0,
        districtPoints: 0,
        walletPoints: 0,
        couponIds: [],
        earnLimitInfos: [],
      });
  });

  it('S1-PP4: a coupon in the plan must be the payer’s and unused', async () => {
    await shop.putCoupon('c-mine', enterprise);
    await shop.putCoupon('c-other', enterprise, 'u-2');
    expect((await stored({ pointsPlan: { couponIds: ['c-mine'] } }))['pointsPlan']).to.deep.include({
      couponIds: ['c-mine'],
    });
    await expectCode(90201, { pointsPlan: { couponIds: ['c-other'] } });
    await expectCode(90201, { pointsPlan: { couponIds: ['no-such'] } });
  });

  it('S1-PP5: earnLimitInfos are required if earn attributes apply, and must add up', async () => {
    const plan = (infos: object[]) => ({ pointsPlan: { tenantPoints: 10, earnLimitInfos: infos } });
    await expectCode(90213, { pointsPlan: { tenantPoints: 10 } }, 'earning');
    await expectCode(90213, plan([{ attribute: 'birthday', points: 9 }]), 'earning');
    await expectCode(90213, plan([{ attribute: 'nothing', points: 10 }]), 'earning');
    const infos = [
      { attribute: 'birthday', points: 4 },
      { attribute: 'visit', points: 6 },
    ];
    expect((await stored(plan(infos), 'earning'))['pointsPlan']).to.deep.include({ earnLimitInfos: infos });
  });

  it('S1-OR8, S1-CR7, S1-IT1, S1-ID5, S1-ID6, S1-ID7: goods lines with points and cash per piece times qty', async () => {
    const order = await stored({ items: [{ goodsId: 'mug', qty: 3 }], pointsPlan: { tenantPoints: 60 } });
    expect(linesOf(order).map(({ lineId: _lineId, ...line }) => line)).to.deep.equal([
      {
        refundedQty: 0,
        goodsId: 'mug',
        name: 'mug',
        qty: 3,
        paymentOptionId: 'o-1',
        point: 20,
        points: 60,
        moneyAmount: 4.5,
      },
    ]);
    const rated = await stored({ items: [{ goodsId: 'rated', qty: 2 }] }, merchant);
    expect(linesOf(rated)[0]).to.include({ point: 30, points: 60, moneyAmount: 60 });
    await expectCode(90201, { items: [{ goodsId: 'no-such' }] });
    await expectCode(90001, { items: [{ qty: 1 }] });
    await expectCode(90001, { items: [] });
  });

  it('S1-IT2, S1-LM2: qty is a whole number of at least 1, and 1 by default', async () => {
    const one = await stored({ items: [{ goodsId: 'mug' }], pointsPlan: { tenantPoints: 20 } });
    expect(linesOf(one)[0]).to.include({ qty: 1 });
    for (const qty of [0, -1, 1.5, '2'])
      await expectCode(90001, { items: [{ goodsId: 'mug', qty }], pointsPlan: { tenantPoints: 20 } });
  });

  it('S1-IT3: one of several options must be named; otherwise the one called DEFAULT is used', async () => {
    const option = async (paymentOptionId: string | undefined, tenantPoints: number) =>
      linesOf(await stored({ items: [{ goodsId: 'plans', paymentOptionId }], pointsPlan: { tenantPoints } }))[0];
    expect(await option('half', 10)).to.include({ paymentOptionId: 'half', moneyAmount: 5 });
    expect(await option(undefined, 0)).to.include({ paymentOptionId: 'full', moneyAmount: 10 });
    await expectCode(90201, { items: [{ goodsId: 'undecided' }], pointsPlan: { tenantPoints: 1 } });
    await expectCode(90201, { items: [{ goodsId: 'plans', paymentOptionId: 'c' }] });
  });

  it('S1-OR9, S1-CR12: invoice data is stored and read back', async () => {
    const invoice = { carrierId: '/ABC+123', npoban: '919', buyerIdentifier: '12345678', buyerName: '林小姐' };
    expect(await stored({ ...cash, ...invoice })).to.include({ ...invoice, carrierType: '3J0002' });
    expect(await stored(cash)).to.include({ carrierId: null, npoban: null, buyerIdentifier: null, buyerName: null });
  });

  it('S1-CR8, S1-LM3: carrierId is a slash and 7 characters', async () => {
    expect(await stored({ ...cash, carrierId: '/1234567' })).to.include({ carrierId: '/1234567' });
    for (const carrierId of ['1234567/', '/123456', '/12345678', '/12345é7', ''])
      await expectCode(90044, { ...cash, carrierId });
  });

  it('S1-CR9: carrierType is 3J0002 regardless of the request', async () => {
    expect(await stored({ ...cash, carrierType: 'mine' })).to.include({ carrierType: '3J0002' });
  });

  it('S1-CR10, S1-LM4: npoban has 3 to 7 digits, or the 8 of a tax id', async () => {
    for (const npoban of ['123', '1234567', '12345678'])
      expect(await stored({ ...cash, npoban })).to.include({ npoban });
    for (const npoban of ['12', '123456789', '12a', '']) await expectCode(90001, { ...cash, npoban });
  });

  it('S1-CR11, S1-LM5: buyerIdentifier has 8 digits', async () => {
    expect(await stored({ ...cash, buyerIdentifier: '00000001' })).to.include({ buyerIdentifier: '00000001' });
    for (const buyerIdentifier of ['1234567', '123456789', '1234567x'])
      await expectCode(90001, { ...cash, buyerIdentifier });
  });

  it('S1-OR10, S1-OR11, S1-ID3, S1-EP2: item has the three statuses, and no paymentUrl before pay', async () => {
    const order = await stored(cash);
    expect(order).to.include({ orderStatus: 0, pointsStatus: 0, paymentStatus: 0, paymentUrl: null });
  });
});
