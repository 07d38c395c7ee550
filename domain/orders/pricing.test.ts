import { expect } from 'chai';
import fc from 'fast-check';
import { MINOR_PER_UNIT } from './money.ts';
import { businessType, type Catalogue, type Draft, type Goods, price, type PricedOrder } from './pricing.ts';

const RUNS = 20_000;
/** So many of them are accepted: of the others, most properties say nothing. */
const ACCEPTED = 100;

/** Generated so that many of the orders are accepted, and every rejection occurs. */
const option = fc.record({
  paymentOptionId: fc.constantFrom('a', 'b', 'DEFAULT'),
  name: fc.constantFrom('A', 'DEFAULT'),
  pointAmount: fc.nat(30),
  cashMinor: fc.nat(5000),
});

const optionGoods = (goodsId: string): fc.Arbitrary<Goods> =>
  fc.record({
    goodsId: fc.constant(goodsId),
    tenantId: fc.constantFrom('t', 't', 't', 'other'),
    currency: fc.constantFrom('TWD', 'TWD', 'TWD', 'TWD', 'TWD', 'USD'),
    name: fc.constant(`Goods ${goodsId}`),
    pricingType: fc.constant('PAYMENT_OPTIONS' as const),
    free: fc.option(fc.nat(6), { freq: 2 }),
    paymentOptions: fc.uniqueArray(option, { minLength: 1, maxLength: 3, selector: (o) => o.paymentOptionId }),
  });

const convertedGoods = (goodsId: string): fc.Arbitrary<Goods> =>
  fc.record({
    goodsId: fc.constant(goodsId),
    tenantId: fc.constantFrom('t', 't', 't', 'other'),
    currency: fc.constantFrom('TWD', 'TWD', 'TWD', 'TWD', 'TWD', 'USD'),
    name: fc.constant(`Goods ${goodsId}`),
    pricingType: fc.constant('RATE_CONVERTED' as const),
    free: fc.option(fc.nat(6), { freq: 2 }),
    paymentOptions: fc
      .nat(40)
      .map((units) => [{ paymentOptionId: 'r', name: 'DEFAULT', pointAmount: 0, cashMinor: units * MINOR_PER_UNIT }]),
  });

const catalogue: fc.Arbitrary<Catalogue> = fc
  .record({
    type: fc.constantFrom(businessType.enterprise, businessType.merchant),
    earnAttributes: fc.constantFrom<string[][]>([], [], ['campus', 'event']),
    goods: fc.tuple(optionGoods('g1'), optionGoods('g2'), convertedGoods('g3')),
    coupons: fc.subarray(['c1', 'c2']),
    tenantKnown: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ type, earnAttributes, goods, coupons, tenantKnown }) => ({
    tenant: tenantKnown === 0 ? null : { tenantId: 't', businessType: type, currency: 'TWD', earnAttributes },
    goods: new Map(goods.map((one) => [one.goodsId, one])),
    usableCoupons: new Set(coupons),
  }));

const items = fc.array(
  fc.record({
    goodsId: fc.constantFrom('g1', 'g2', 'g3', 'g3', 'unknown'),
    qty: fc.integer({ min: 1, max: 4 }),
    paymentOptionId: fc.option(fc.constantFrom('a', 'r'), { freq: 5 }),
  }),
  { minLength: 1, maxLength: 3 },
);

const draft: fc.Arbitrary<Draft> = fc.record({
  moneyMinor: fc.option(fc.nat(6000), { freq: 2 }),
  grossMinor: fc.option(fc.nat(6000), { freq: 2 }),
  tenantPoints: fc.oneof(fc.constant(0), fc.nat(90)),
  districtPoints: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(9) }),
  walletPoints: fc.oneof(
    { weight: 6, arbitrary: fc.nat(30).map((units) => units * 4) },
    { weight: 1, arbitrary: fc.nat(100) },
  ),
  couponIds: fc.subarray(['c1', 'c2']),
  earnLimitInfos: fc.option(
    fc.array(fc.record({ attribute: fc.constantFrom('campus', 'event', 'x'), points: fc.nat(60) }), { maxLength: 2 }),
  ),
  items: fc.option(items),
  carrierId: fc.option(fc.constantFrom('/ABC1234', '/AB', 'ABC12345'), { freq: 8 }),
});

/** The draft with the amounts that the service computes, so that most orders are accepted. */
function agreeing(given: Draft, known: Catalogue): Draft {
  const merchant = known.tenant?.businessType === businessType.merchant;
  if (given.items) {
    const earn = [{ attribute: 'campus', points: given.tenantPoints }];
    return { ...given, moneyMinor: null, grossMinor: null, earnLimitInfos: earn };
  }
  const gross = given.grossMinor ?? 0;
  const deduction = given.walletPoints * 25 + (merchant ? given.tenantPoints * 100 : 0);
  const earn = [{ attribute: 'campus', points: given.tenantPoints }];
  return { ...given, grossMinor: gross, moneyMinor: Math.max(0, gross - deduction), earnLimitInfos: earn };
}

const order = fc
  .tuple(draft, catalogue, fc.boolean())
  .map(([given, known, agree]): [Draft, Catalogue] => [agree ? agreeing(given, known) : given, known]);

const pricedOf = (given: Draft, known: Catalogue): PricedOrder | null => {
  const result = price(given, known);
  return 'priced' in result ? result.priced : null;
};

const codeOf = (given: Draft, known: Catalogue): number => {
  const result = price(given, known);
  return 'rejected' in result ? result.rejected : 1000;
};

/** The contract's order of rejections, after 90044 and 90201. */
const ORDER = [90044, 90201, 90041, 90015, 90039, 90213, 90208, 90212, 90207, 90203, 1000];

describe('pricing, any order', () => {
  /** How many orders a property was about: those that are accepted. */
  let accepted = 0;
  beforeEach(() => void (accepted = 0));
  const check = (property: fc.IProperty<[[Draft, Catalogue]]>) => fc.assert(property, { numRuns: RUNS });

  it('lines add up to gross, and nothing is ever negative or a fraction of a cent', () => {
    check(
      fc.property(order, ([given, known]) => {
        const result = pricedOf(given, known);
        if (!result) return;
        accepted += 1;
        const amounts = [
          result.totalMinor,
          result.grossMinor,
          ...result.lines.flatMap((l) => [l.point, l.points, l.cashMinor, l.tenantPoints]),
        ];
        expect(amounts.every((amount) => Number.isSafeInteger(amount) && amount >= 0)).to.equal(true);
        expect(result.totalMinor).to.be.at.most(result.grossMinor);
        for (const line of result.lines) expect(line.points).to.equal(line.point * line.qty);
        if (!given.items) return;
        expect(result.lines.reduce((sum, line) => sum + line.cashMinor, 0)).to.equal(result.grossMinor);
        expect(result.lines.reduce((sum, line) => sum + line.tenantPoints, 0)).to.equal(given.tenantPoints);
      }),
    );
    expect(accepted).to.be.at.least(ACCEPTED);
  });

  it('total is gross minus what points deduct: the accounts of cash and points agree', () => {
    check(
      fc.property(order, ([given, known]) => {
        const result = pricedOf(given, known);
        if (!result || !known.tenant) return;
        accepted += 1;
        const wallet = given.walletPoints * 25;
        if (known.tenant.businessType === businessType.merchant)
          expect(result.totalMinor).to.equal(result.grossMinor - given.tenantPoints * 100 - wallet);
        else if (!given.items) expect(result.totalMinor).to.equal(result.grossMinor - wallet);
        else {
          const leg = result.lines.reduce((sum, line) => sum + line.points, 0);
          expect(result.totalMinor).to.equal(result.grossMinor - (given.tenantPoints - leg) * 100 - wallet);
        }
      }),
    );
    expect(accepted).to.be.at.least(ACCEPTED);
  });

  it('is monotone: more points never cost more money', () => {
    check(
      fc.property(order, ([given, known]) => {
        const goods = { ...given, moneyMinor: given.items ? null : given.moneyMinor };
        const less = pricedOf(goods, known);
        if (!less) return;
        for (const kind of ['tenantPoints', 'walletPoints'] as const) {
          const more = { ...goods, [kind]: goods[kind] + 4 };
          const points = more.tenantPoints;
          const total = pricedOf(
            {
              ...(goods.items ? more : agreeing(more, known)),
              earnLimitInfos: [{ attribute: 'campus', points }],
            },
            known,
          )?.totalMinor;
          if (total === undefined) continue;
          accepted += 1;
          expect(total).to.be.at.most(less.totalMinor);
        }
      }),
    );
    expect(accepted).to.be.at.least(ACCEPTED);
  });

  it('rejects in the order of the contract: fixing an error never leads to an earlier code', () => {
    const mends: Record<number, (given: Draft, known: Catalogue) => [Draft, Catalogue]> = {
      90044: (given, known) => [{ ...given, carrierId: null }, known],
      90015: (given, known) => [{ ...given, districtPoints: 0 }, known],
      90039: (given, known) => [
        given,
        { ...known, goods: new Map([...known.goods].map(([id, one]) => [id, { ...one, free: null }])) },
      ],
      90213: (given, known) => [
        { ...given, earnLimitInfos: [{ attribute: 'campus', points: given.tenantPoints }] },
        known,
      ],
    };
    const met = new Set<number>();
    check(
      fc.property(order, ([given, known]) => {
        const code = codeOf(given, known);
        met.add(code);
        const mend = mends[code];
        if (mend) expect(ORDER.indexOf(codeOf(...mend(given, known)))).to.be.greaterThan(ORDER.indexOf(code));
      }),
    );
    expect([...met].toSorted()).to.have.members([...ORDER].toSorted());
  });

  it('stock, coupons and amounts alone decide: the same order always gets the same response', () => {
    check(
      fc.property(order, ([given, known]) => {
        expect(price(given, known)).to.deep.equal(price(structuredClone(given), structuredClone(known)));
      }),
    );
  });
});

describe('pricing beyond any amount', () => {
  const known: Catalogue = {
    tenant: { tenantId: 't', businessType: businessType.enterprise, currency: 'TWD', earnAttributes: [] },
    goods: new Map([
      [
        'dear',
        {
          goodsId: 'dear',
          tenantId: 't',
          currency: 'TWD',
          name: 'Dear',
          pricingType: 'PAYMENT_OPTIONS' as const,
          free: null,
          paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashMinor: 999_999_999_999 }],
        },
      ],
    ]),
    usableCoupons: new Set<string>(),
  };
  it('is malformed (90001), not a wrong sum', () => {
    const given: Draft = {
      moneyMinor: null,
      grossMinor: null,
      tenantPoints: 0,
      districtPoints: 0,
      walletPoints: 0,
      couponIds: [],
      earnLimitInfos: null,
      items: [{ goodsId: 'dear', qty: 9_999_999_999, paymentOptionId: null }],
      carrierId: null,
    };
    expect(codeOf(given, known)).to.equal(90001);
    expect(codeOf({ ...given, items: [{ goodsId: 'dear', qty: 1, paymentOptionId: null }] }, known)).to.equal(1000);
  });
});
