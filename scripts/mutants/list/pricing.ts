import type { Mutant } from '../mutant.ts';

const pricing = 'domain/orders/pricing.ts';
const priced = ['domain/orders/pricing.test.ts'];
const comparison = 'domain/orders/charge-comparison.ts';
const compared = ['domain/orders/charge-comparison.test.ts'];

/** What an order costs, and whether the gateway agrees. */
export const ofPricing: readonly Mutant[] = [
  {
    file: pricing,
    from: 'draft.tenantPoints < pointsLeg || draft.tenantPoints > pointsLeg + convertible',
    to: 'draft.tenantPoints < pointsLeg',
    tests: priced,
    why: 'more points are taken than the goods cost',
  },
  {
    file: pricing,
    from: 'draft.tenantPoints < pointsLeg || draft.tenantPoints > pointsLeg + convertible',
    to: 'draft.tenantPoints > pointsLeg + convertible',
    tests: priced,
    why: 'goods are sold for fewer points than they cost',
  },
  {
    file: pricing,
    from: '({ cashAxis, deduction }) => deduction > cashAxis',
    to: '({ cashAxis, deduction }) => deduction >= cashAxis',
    tests: priced,
    why: 'an order cannot be paid by the wallet alone',
  },
  {
    file: pricing,
    from: 'draft.walletPoints % WALLET_POINTS_PER_UNIT !== 0',
    to: 'draft.walletPoints % 2 !== 0',
    tests: priced,
    why: 'parts of a unit are deducted',
  },
  {
    file: pricing,
    from: '(wanted.get(goods.goodsId) ?? 0) > goods.free',
    to: '(wanted.get(goods.goodsId) ?? 0) > goods.free + 1',
    tests: priced,
    why: 'more is ordered than there is',
  },
  {
    file: pricing,
    from: 'isGoods && !merchant && draft.districtPoints > 0',
    to: 'isGoods && draft.districtPoints > 0',
    tests: priced,
    why: 'a merchant’s goods cannot be had for district points',
  },
  {
    file: pricing,
    from: '(draft.moneyMinor !== null && draft.moneyMinor !== total) ||',
    to: '(draft.moneyMinor !== null && draft.moneyMinor > total) ||',
    tests: priced,
    why: 'the payer is shown another price than the one that is charged',
  },
  {
    file: pricing,
    from: 'if (found.tenantId !== (lines[0]?.goods.tenantId ?? found.tenantId)) return null;',
    to: '',
    tests: priced,
    why: 'one order has goods of two tenants',
  },
  {
    file: pricing,
    from: 'sum(infos, (info) => info.points) !== draft.tenantPoints',
    to: 'sum(infos, (info) => info.points) > draft.tenantPoints',
    tests: priced,
    why: 'points are taken whose origin nobody states',
  },
  {
    file: comparison,
    from: 'if (theirsLeft >= least && theirsLeft <= most) return null;',
    to: 'if (theirsLeft <= most) return null;',
    tests: compared,
    why: 'nobody is told of money that the gateway has given back by itself',
  },
  {
    file: comparison,
    from: 'theirs.currency !== ours.currency || toMinor(theirs.amount) !== acceptedMinor',
    to: 'toMinor(theirs.amount) !== acceptedMinor',
    tests: compared,
    why: 'another currency counts as the same amount',
  },
];
