import type { OrderErrorCode } from './codes.ts';
import { invalidCarrier } from './invoice.ts';
import { apportion } from './shares.ts';
import { MAX_MINOR, MAX_POINTS, MINOR_PER_UNIT, type Minor, WALLET_POINTS_PER_UNIT } from './money.ts';

export const businessType = { enterprise: 0, merchant: 1 } as const;
export type BusinessType = (typeof businessType)[keyof typeof businessType];

export type PricingType = 'PAYMENT_OPTIONS' | 'RATE_CONVERTED';

export interface PaymentOption {
  paymentOptionId: string;
  name: string;
  pointAmount: number;
  cashMinor: Minor;
}

export interface Goods {
  goodsId: string;
  tenantId: string;
  /** That of its tenant. */
  currency: string;
  name: string;
  pricingType: PricingType;
  /** Stock neither sold nor held; null if it is unlimited. */
  free: number | null;
  paymentOptions: PaymentOption[];
}

/** The amounts in a create request; missing amounts are null. */
export interface Draft {
  moneyMinor: Minor | null;
  grossMinor: Minor | null;
  tenantPoints: number;
  districtPoints: number;
  walletPoints: number;
  couponIds: string[];
  earnLimitInfos: { attribute: string; points: number }[] | null;
  /** Null for an order without goods. */
  items: { goodsId: string; qty: number; paymentOptionId: string | null }[] | null;
  carrierId: string | null;
}

/** What the service knows: the order's tenant (null if unknown), the goods named, the coupons this payer can use. */
export interface Catalogue {
  tenant: { tenantId: string; businessType: BusinessType; currency: string; earnAttributes: string[] } | null;
  goods: Map<string, Goods>;
  usableCoupons: Set<string>;
}

/** One goods line as stored; `point` and `points` as shown in the item response. */
export interface PricedLine {
  goodsId: string;
  /** The name of the goods when the order was created. */
  name: string;
  qty: number;
  paymentOptionId: string;
  point: number;
  points: number;
  cashMinor: Minor;
  /** What the line takes of the order's tenantPoints. */
  tenantPoints: number;
}

export interface PricedOrder {
  totalMinor: Minor;
  grossMinor: Minor;
  lines: PricedLine[];
  /** The tenant whose accounts are charged: the goods' tenant, or the order's own. */
  pointsTenantId: string;
}

export type Pricing = { rejected: OrderErrorCode } | { priced: PricedOrder };

/** A line whose goods and option were found. */
interface ResolvedLine {
  goods: Goods;
  option: PaymentOption;
  qty: number;
}

/** The figures used by the rules below. */
interface Facts {
  draft: Draft;
  merchant: boolean;
  earnAttributes: string[];
  lines: ResolvedLine[];
  isGoods: boolean;
  /** P: the points legs of PAYMENT_OPTIONS lines; 0 on merchant. */
  pointsLeg: number;
  /** R in whole points: the cash of RATE_CONVERTED lines, convertible 1:1. */
  convertible: number;
  /** The cash before any deduction. */
  gross: Minor;
  /** The cash that walletPoints may reduce (enterprise), or gross (merchant). */
  cashAxis: Minor;
  /** What points deduct from the cash amount. */
  deduction: Minor;
  total: Minor;
  hasCoupon: boolean;
}

const DEFAULT_OPTION = 'DEFAULT';

/** The option requested; else the only one; else the one with id or name DEFAULT. */
function chooseOption(goods: Goods, paymentOptionId: string | null): PaymentOption | undefined {
  const options = goods.paymentOptions;
  if (paymentOptionId !== null) return options.find((option) => option.paymentOptionId === paymentOptionId);
  if (options.length === 1) return options[0];
  return (
    options.find((option) => option.paymentOptionId === DEFAULT_OPTION) ??
    options.find((option) => option.name === DEFAULT_OPTION)
  );
}

/** Null if a goods or option does not exist, or the goods do not all belong to one tenant with this currency. */
function resolveLines(draft: Draft, goods: Map<string, Goods>, currency: string): ResolvedLine[] | null {
  const lines: ResolvedLine[] = [];
  for (const item of draft.items ?? []) {
    const found = goods.get(item.goodsId);
    const option = found && chooseOption(found, item.paymentOptionId);
    if (!found || !option || found.currency !== currency) return null;
    if (found.tenantId !== (lines[0]?.goods.tenantId ?? found.tenantId)) return null;
    lines.push({ goods: found, option, qty: item.qty });
  }
  return lines;
}

const walletMinor = (walletPoints: number): Minor => (walletPoints * MINOR_PER_UNIT) / WALLET_POINTS_PER_UNIT;

const sum = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((total, item) => total + value(item), 0);

const cashOf = (line: ResolvedLine): Minor => line.option.cashMinor * line.qty;
const isConverted = (line: ResolvedLine): boolean => line.goods.pricingType === 'RATE_CONVERTED';

/** S1, pricing rules: one row per tenant type, with and without goods. */
const axes = {
  enterprise: {
    /** Points never reduce the cash of an order without goods. */
    plain: (gross: Minor) => gross,
    /** Points above the points leg convert the cash of RATE_CONVERTED lines. */
    goods: (gross: Minor, tenantPoints: number, pointsLeg: number) =>
      gross - (tenantPoints - pointsLeg) * MINOR_PER_UNIT,
    deduction: (draft: Draft) => walletMinor(draft.walletPoints),
  },
  merchant: {
    plain: (gross: Minor) => gross,
    goods: (gross: Minor) => gross,
    /** One pool: tenantPoints 1:1 and walletPoints 4:1. */
    deduction: (draft: Draft) => draft.tenantPoints * MINOR_PER_UNIT + walletMinor(draft.walletPoints),
  },
};

function gatherFacts(draft: Draft, lines: ResolvedLine[], tenant: NonNullable<Catalogue['tenant']>): Facts {
  const merchant = tenant.businessType === businessType.merchant;
  const axis = merchant ? axes.merchant : axes.enterprise;
  const isGoods = draft.items !== null;
  const optionLines = merchant ? [] : lines.filter((line) => !isConverted(line));
  const pointsLeg = sum(optionLines, (line) => line.option.pointAmount * line.qty);
  const convertible = sum(lines.filter(isConverted), cashOf) / MINOR_PER_UNIT;
  const gross = isGoods ? sum(lines, cashOf) : (draft.grossMinor ?? 0);
  const cashAxis = isGoods ? axis.goods(gross, draft.tenantPoints, pointsLeg) : axis.plain(gross);
  const deduction = axis.deduction(draft);
  return {
    draft,
    merchant,
    earnAttributes: tenant.earnAttributes,
    lines,
    isGoods,
    pointsLeg,
    convertible,
    gross,
    cashAxis,
    deduction,
    total: Math.max(0, cashAxis - deduction),
    hasCoupon: draft.couponIds.length > 0,
  };
}

/** Sums that no amount field could hold. */
function outOfRange({ lines, gross, pointsLeg }: Facts): boolean {
  const points = sum(lines, (line) => line.option.pointAmount * line.qty);
  return gross > MAX_MINOR || pointsLeg > MAX_POINTS || points > MAX_POINTS;
}

function isWorthNothing(facts: Facts): boolean {
  const { draft, hasCoupon } = facts;
  if (hasCoupon) return false;
  if (facts.isGoods) return facts.pointsLeg === 0 && facts.gross === 0;
  const noPoints = draft.tenantPoints === 0 && draft.districtPoints === 0 && draft.walletPoints === 0;
  // gross without moneyAmount is an incomplete pair (90203), even if both would be 0.
  const noMoney = draft.moneyMinor === 0 || (draft.moneyMinor === null && draft.grossMinor === null);
  return noPoints && noMoney;
}

/** Lines of the same goods are added up and compared with the available stock. */
function exceedsStock(lines: ResolvedLine[]): boolean {
  const wanted = new Map<string, number>();
  for (const { goods, qty } of lines) wanted.set(goods.goodsId, (wanted.get(goods.goodsId) ?? 0) + qty);
  return lines.some(({ goods }) => goods.free !== null && (wanted.get(goods.goodsId) ?? 0) > goods.free);
}

function earnInfosMissing({ draft, earnAttributes }: Facts): boolean {
  if (earnAttributes.length === 0 || draft.tenantPoints === 0) return false;
  const infos = draft.earnLimitInfos ?? [];
  const named = new Set(infos.map((info) => info.attribute));
  const everyOneKnown = infos.every((info) => earnAttributes.includes(info.attribute));
  return !everyOneKnown || named.size !== infos.length || sum(infos, (info) => info.points) !== draft.tenantPoints;
}

function pointsMisfitGoods({ draft, merchant, isGoods, pointsLeg, convertible }: Facts): boolean {
  if (merchant || !isGoods) return false;
  return draft.tenantPoints < pointsLeg || draft.tenantPoints > pointsLeg + convertible;
}

function amountsDisagree(facts: Facts): boolean {
  const { draft, gross, total } = facts;
  if (facts.isGoods) {
    return (
      (draft.moneyMinor !== null && draft.moneyMinor !== total) ||
      (draft.grossMinor !== null && draft.grossMinor !== gross)
    );
  }
  if (draft.grossMinor !== null && draft.moneyMinor === null) return true;
  if ((draft.moneyMinor ?? 0) !== total) return true;
  // Without a gross amount, a merchant sells for a coupon only; district points pay for nothing.
  return facts.merchant && gross === 0 && !facts.hasCoupon;
}

interface Rule {
  code: OrderErrorCode;
  rejects: (facts: Facts) => boolean;
}

/** In the order of the contract: the first that applies gives the code. */
const amountRules: readonly Rule[] = [
  { code: 90001, rejects: outOfRange },
  { code: 90041, rejects: isWorthNothing },
  { code: 90015, rejects: ({ draft, merchant, isGoods }) => isGoods && !merchant && draft.districtPoints > 0 },
  { code: 90039, rejects: ({ lines }) => exceedsStock(lines) },
  { code: 90213, rejects: earnInfosMissing },
  { code: 90208, rejects: ({ draft }) => draft.walletPoints % WALLET_POINTS_PER_UNIT !== 0 },
  { code: 90212, rejects: pointsMisfitGoods },
  { code: 90207, rejects: ({ cashAxis, deduction }) => deduction > cashAxis },
  { code: 90203, rejects: amountsDisagree },
];

/** The order's tenantPoints by line: on a merchant, and where they convert cash, by what the lines cost. */
function tenantPointsOf({ draft, merchant, lines, pointsLeg }: Facts): number[] {
  if (merchant) return apportion(draft.tenantPoints, lines.map(cashOf));
  const converted = apportion(
    draft.tenantPoints - pointsLeg,
    lines.map((line) => (isConverted(line) ? cashOf(line) : 0)),
  );
  return lines.map((line, index) => (isConverted(line) ? (converted[index] ?? 0) : line.option.pointAmount * line.qty));
}

function shownLine(
  line: ResolvedLine,
  { merchant, tenantPoints }: { merchant: boolean; tenantPoints: number },
): PricedLine {
  const convertedPoint = merchant ? line.option.cashMinor / MINOR_PER_UNIT : 0;
  const point = isConverted(line) ? convertedPoint : line.option.pointAmount;
  return {
    goodsId: line.goods.goodsId,
    name: line.goods.name,
    qty: line.qty,
    paymentOptionId: line.option.paymentOptionId,
    point,
    points: point * line.qty,
    cashMinor: cashOf(line),
    tenantPoints,
  };
}

/** Computes what an order costs, or the code it is rejected with. Integer minor units throughout. */
export function price(draft: Draft, catalogue: Catalogue): Pricing {
  const carrierError = invalidCarrier(draft.carrierId);
  if (carrierError !== null) return { rejected: carrierError };
  const { tenant } = catalogue;
  const lines = tenant && resolveLines(draft, catalogue.goods, tenant.currency);
  const couponsUsable = draft.couponIds.every((couponId) => catalogue.usableCoupons.has(couponId));
  if (!tenant || !lines || !couponsUsable) return { rejected: 90201 };

  const facts = gatherFacts(draft, lines, tenant);
  const rule = amountRules.find(({ rejects }) => rejects(facts));
  if (rule) return { rejected: rule.code };
  const { merchant } = facts;
  const tenantPoints = tenantPointsOf(facts);
  return {
    priced: {
      totalMinor: facts.total,
      grossMinor: facts.gross,
      lines: lines.map((line, index) => shownLine(line, { merchant, tenantPoints: tenantPoints[index] ?? 0 })),
      pointsTenantId: lines[0]?.goods.tenantId ?? tenant.tenantId,
    },
  };
}
