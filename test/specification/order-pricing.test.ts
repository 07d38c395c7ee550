import { expect } from 'chai';
import { ok } from '../orders/support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

/** A request and its outcome: the total to pay, or the error code. */
type Case = [request: object, outcome: { total: number } | { code: number }];

const wallet = (walletPoints: number) => ({ pointsPlan: { walletPoints } });
const points = (tenantPoints: number) => ({ pointsPlan: { tenantPoints } });
const cash = (grossMoneyAmount: number, moneyAmount: number) => ({ grossMoneyAmount, moneyAmount });
const mugs = (qty: number) => ({ items: [{ goodsId: 'mug', qty }] });
const rated = { items: [{ goodsId: 'rated' }] };

/** S1's pricing table and its numbered rules for create, with a case on each side of every limit. */
describe('S1: pricing rules', () => {
  const shop = useOrders({ worker: false, tenants: { enterprise: {}, merchant: { businessType: 1 } } });

  before(async () => {
    await shop.putCoupon('c-1', 'enterprise');
    await shop.putGoods('mug', 'enterprise', {
      stock: 4,
      paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 20, cashAmount: 10 }],
    });
    await shop.putGoods('rated', 'enterprise', {
      pricingType: 'RATE_CONVERTED',
      paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 30 }],
    });
  });

  /** Creates each order of each tenant, and reads its price back. */
  const prices = (cases: { enterprise?: Case[]; merchant?: Case[] }) => async () => {
    for (const [tenantId, listed] of Object.entries(cases))
      for (const [request, outcome] of listed) {
        const response = await shop.post('/user/order/create', { tenantId, ...request }, { tenantId });
        const reported = `${tenantId} ${JSON.stringify(request)}`;
        if ('code' in outcome) {
          expect(response, reported).to.include({ code: outcome.code, data: null });
          continue;
        }
        const item = await shop.item(ok(response).data, tenantId);
        expect(item, reported).to.include({ totalMoney: outcome.total, moneyAmount: outcome.total });
      }
  };

  it(
    'S1-PC1: enterprise, non-goods: points come on top of the cash, the wallet reduces it',
    prices({
      enterprise: [
        [{ ...cash(100, 100), ...points(70) }, { total: 100 }],
        [{ ...cash(100, 90), ...wallet(40) }, { total: 90 }],
        [{ ...cash(100, 0), ...wallet(400) }, { total: 0 }],
        [{ ...cash(100, 30), ...points(70) }, { code: 90203 }],
      ],
    }),
  );

  it(
    'S1-PC2: enterprise, goods: the points legs and the cash legs are added up separately',
    prices({
      enterprise: [
        [{ ...mugs(2), ...points(40) }, { total: 20 }],
        [{ ...mugs(2), pointsPlan: { tenantPoints: 40, walletPoints: 40 } }, { total: 10 }],
      ],
    }),
  );

  it(
    'S1-PC3: merchant: points and wallet reduce one gross',
    prices({
      merchant: [
        [{ ...cash(100, 50), pointsPlan: { tenantPoints: 40, walletPoints: 40 } }, { total: 50 }],
        [{ ...rated, ...points(10) }, { total: 20 }],
        [{ ...cash(100, 100), pointsPlan: { tenantPoints: 40, walletPoints: 40 } }, { code: 90203 }],
      ],
    }),
  );

  it(
    'S1-V1, S1-ER2: the pair is sent together and must match the formula',
    prices({
      enterprise: [
        [cash(100, 100), { total: 100 }],
        [cash(100, 99.99), { code: 90203 }],
        [{ grossMoneyAmount: 100 }, { code: 90203 }],
      ],
      merchant: [
        [{ ...cash(100, 60), ...points(40) }, { total: 60 }],
        [{ ...cash(100, 61), ...points(40) }, { code: 90203 }],
      ],
    }),
  );

  it(
    'S1-V2: gross 0 with money, or money without gross',
    prices({
      enterprise: [
        [cash(0, 5), { code: 90203 }],
        [{ moneyAmount: 5 }, { code: 90203 }],
        [{ moneyAmount: 0, ...points(5) }, { total: 0 }],
      ],
      merchant: [[cash(0, 5), { code: 90203 }]],
    }),
  );

  it(
    'S1-V3: pure points and coupon-only orders need no pair',
    prices({
      enterprise: [
        [points(5), { total: 0 }],
        [{ pointsPlan: { couponIds: ['c-1'] } }, { total: 0 }],
      ],
    }),
  );

  it(
    'S1-V4, S1-ER1: nothing to pay with',
    prices({
      enterprise: [
        [{}, { code: 90041 }],
        [{ moneyAmount: 0, pointsPlan: { tenantPoints: 0, districtPoints: 0, walletPoints: 0 } }, { code: 90041 }],
      ],
      merchant: [[{ moneyAmount: 0 }, { code: 90041 }]],
    }),
  );

  it(
    'S1-V5, S1-ER3, S1-ER4, S1-PP3: the wallet takes at most the cash leg, in fours, and is not tenant points',
    prices({
      enterprise: [
        [{ ...cash(10, 0), ...wallet(40) }, { total: 0 }],
        [{ ...cash(10, 0), ...wallet(44) }, { code: 90207 }],
        [{ ...cash(10, 9), ...wallet(5) }, { code: 90208 }],
        [{ ...mugs(1), pointsPlan: { tenantPoints: 16, walletPoints: 4 } }, { code: 90212 }],
      ],
      merchant: [[{ ...cash(10, 9), ...wallet(6) }, { code: 90208 }]],
    }),
  );

  it(
    'S1-V6, S1-PP1: a merchant’s deductions stay within gross; its goods need only moneyAmount',
    prices({
      merchant: [
        [{ ...cash(10, 0), ...points(10) }, { total: 0 }],
        [{ ...cash(10, 0), ...points(11) }, { code: 90207 }],
        [{ ...rated, moneyAmount: 25, ...points(5) }, { total: 25 }],
        [{ ...rated, ...points(31) }, { code: 90207 }],
      ],
    }),
  );

  it(
    'S1-V7, S1-ER5: fixed plans take exactly their points, and exactly their cash',
    prices({
      enterprise: [
        [{ ...mugs(2), ...points(39) }, { code: 90212 }],
        [{ ...mugs(2), ...points(41) }, { code: 90212 }],
        [{ ...mugs(2), ...points(40), moneyAmount: 20 }, { total: 20 }],
        [{ ...mugs(2), ...points(40), moneyAmount: 19 }, { code: 90203 }],
      ],
    }),
  );

  it(
    'S1-V8: rate-converted goods take up to their limit in points, the rest in cash',
    prices({
      enterprise: [
        [{ ...rated, ...points(30) }, { total: 0 }],
        [{ ...rated, ...points(12), moneyAmount: 18 }, { total: 18 }],
        [{ ...rated, ...points(31) }, { code: 90212 }],
      ],
    }),
  );

  it(
    'S1-V9, S1-ER6, S1-PP2: no district points on goods of an enterprise',
    prices({
      enterprise: [
        [{ ...mugs(1), pointsPlan: { tenantPoints: 20, districtPoints: 1 } }, { code: 90015 }],
        [{ ...mugs(1), pointsPlan: { tenantPoints: 20, districtPoints: 0 } }, { total: 10 }],
        [{ pointsPlan: { districtPoints: 3 } }, { total: 0 }],
      ],
    }),
  );

  it(
    'S1-V10, S1-ER7: more than the stock, lines of one goods taken together',
    prices({
      enterprise: [
        [{ ...mugs(4), ...points(80) }, { total: 40 }],
        [{ ...mugs(5), ...points(100) }, { code: 90039 }],
        [
          {
            items: [
              { goodsId: 'mug', qty: 3 },
              { goodsId: 'mug', qty: 2 },
            ],
            ...points(100),
          },
          { code: 90039 },
        ],
      ],
    }),
  );

  it(
    'S1-V11, S1-ER8: a carrier is a slash and 7 characters',
    prices({
      enterprise: [
        [{ ...cash(1, 1), carrierId: '/ABC.+-1' }, { total: 1 }],
        [{ ...cash(1, 1), carrierId: 'ABC.+-12' }, { code: 90044 }],
      ],
    }),
  );
});
