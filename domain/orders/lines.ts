import type { PointKind } from './administration.ts';
import type { Minor } from './money.ts';
import type { PricedLine } from './pricing.ts';
import { apportion, ofPieces } from './shares.ts';

/** The lines of an order, and what refunds by line give back. */

/** So many pieces of one line. */
export interface Pieces {
  lineId: string;
  qty: number;
}

/** Lines never change, so their place identifies them. */
export const lineIdOf = (index: number): string => String(index + 1);

export type Points = Record<PointKind, number>;

/** What an order was paid with, as stored. */
export interface PaidOrder {
  totalMinor: Minor;
  tenantPoints: number;
  districtPoints: number;
  walletPoints: number;
  couponIds: readonly string[];
  lines: readonly PricedLine[];
}

/** What a refund gives back besides money. */
export interface GivenBack {
  points: Points;
  coupons: boolean;
  goods: { goodsId: string; qty: number }[];
}

/** What matters of an earlier refund of the same order, under way or confirmed. */
export interface EarlierRefund {
  /** Null if it was not by line. */
  lines: readonly Pieces[] | null;
  restorePoints: boolean;
  restock: boolean;
  givenBack: GivenBack | null;
}

/** What is asked for: pieces, or all that is left. */
export interface Return extends Pick<EarlierRefund, 'lines' | 'restorePoints' | 'restock'> {}

const pointsOf = ({ tenantPoints, districtPoints, walletPoints }: PaidOrder): Points => ({
  tenant: tenantPoints,
  district: districtPoints,
  wallet: walletPoints,
});

const eachKind = (amountOf: (kind: PointKind) => number): Points => ({
  tenant: amountOf('tenant'),
  district: amountOf('district'),
  wallet: amountOf('wallet'),
});

const isNothing = ({ tenant, district, wallet }: Points): boolean => tenant === 0 && district === 0 && wallet === 0;

/** How many pieces of each line earlier refunds were for. */
export function refundedPieces(refunds: readonly Pick<EarlierRefund, 'lines'>[]): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { lineId, qty } of refunds.flatMap(({ lines }) => lines ?? []))
    pieces.set(lineId, (pieces.get(lineId) ?? 0) + qty);
  return pieces;
}

/** What each line is worth in money and points; together that is what was paid. */
function worthOfLines({ totalMinor, districtPoints, walletPoints, lines }: PaidOrder) {
  const cash = lines.map(({ cashMinor }) => cashMinor);
  const [money, district, wallet] = [totalMinor, districtPoints, walletPoints].map((amount) => apportion(amount, cash));
  return lines.map((line, index) => ({
    lineId: lineIdOf(index),
    goodsId: line.goodsId,
    of: line.qty,
    minor: money?.[index] ?? 0,
    points: { tenant: line.tenantPoints, district: district?.[index] ?? 0, wallet: wallet?.[index] ?? 0 },
  }));
}

/** The pieces of these lines that are asked for, each with what it is worth. */
function piecesWorth(order: PaidOrder, asked: readonly Pieces[], refunded: ReadonlyMap<string, number>) {
  const lines = worthOfLines(order);
  return asked.flatMap(({ lineId, qty }) => {
    const line = lines.find((one) => one.lineId === lineId);
    if (!line) return [];
    const { of, goodsId } = line;
    const pieces = { before: refunded.get(lineId) ?? 0, qty, of };
    return {
      goodsId,
      qty,
      isFree: line.minor === 0,
      minor: ofPieces(line.minor, pieces),
      points: eachKind((kind) => ofPieces(line.points[kind], pieces)),
    };
  });
}

export interface PiecesFault {
  /** A JSON pointer such as `/lines/0/qty`. */
  path: string;
  message: string;
}

/** Why these pieces cannot be refunded; null if they can. */
export function faultOfPieces(
  order: PaidOrder,
  { lines, restorePoints, restock }: Return & { lines: readonly Pieces[] },
  earlier: readonly EarlierRefund[],
): PiecesFault | null {
  if (order.lines.length === 0) return { path: '/lines', message: 'the order has no lines' };
  const refunded = refundedPieces(earlier);
  const quantities = new Map(order.lines.map(({ qty }, index) => [lineIdOf(index), qty]));
  for (const [index, { lineId, qty }] of lines.entries()) {
    const all = quantities.get(lineId);
    if (all === undefined) return { path: `/lines/${index}/lineId`, message: 'is no line of the order' };
    if (qty > all - (refunded.get(lineId) ?? 0))
      return { path: `/lines/${index}/qty`, message: 'is more than what is left of the line' };
  }
  const free = piecesWorth(order, lines, refunded).findIndex(({ isFree }) => isFree);
  if (free >= 0 && !restorePoints && !restock)
    return { path: `/lines/${free}`, message: 'has no money: restorePoints or restock is required' };
  return null;
}

/** The money of these pieces. */
export const moneyOf = (order: PaidOrder, lines: readonly Pieces[], earlier: readonly EarlierRefund[]): Minor =>
  piecesWorth(order, lines, refundedPieces(earlier)).reduce((sum, { minor }) => sum + minor, 0);

/** What refunds give back, or have given back, together. */
function sumOf(refunds: readonly Pick<EarlierRefund, 'givenBack'>[]): GivenBack {
  const all = refunds.flatMap(({ givenBack }) => givenBack ?? []);
  return {
    points: eachKind((kind) => all.reduce((sum, { points }) => sum + points[kind], 0)),
    coupons: all.some(({ coupons }) => coupons),
    goods: all.flatMap(({ goods }) => goods),
  };
}

/** The goods of the order that no earlier refund has returned to stock. */
function goodsLeft({ lines }: PaidOrder, { goods }: GivenBack): GivenBack['goods'] {
  const left = new Map<string, number>();
  for (const { goodsId, qty } of lines) left.set(goodsId, (left.get(goodsId) ?? 0) + qty);
  for (const { goodsId, qty } of goods) left.set(goodsId, (left.get(goodsId) ?? 0) - qty);
  return [...left].map(([goodsId, qty]) => ({ goodsId, qty })).filter(({ qty }) => qty > 0);
}

const takesEverything = (order: PaidOrder, refunds: readonly Pick<EarlierRefund, 'lines'>[]): boolean => {
  const refunded = refundedPieces(refunds);
  return order.lines.every(({ qty }, index) => refunded.get(lineIdOf(index)) === qty);
};

/** What a refund gives back besides money: with `lines` that of these pieces alone, else what earlier ones left. */
export function givenBackBy(order: PaidOrder, asked: Return, earlier: readonly EarlierRefund[]): GivenBack | null {
  const { lines, restorePoints, restock } = asked;
  if (!restorePoints && !restock) return null;
  const before = sumOf(earlier);
  const used = pointsOf(order);
  const pieces = lines && piecesWorth(order, lines, refundedPieces(earlier));
  const points = pieces
    ? eachKind((kind) => pieces.reduce((sum, piece) => sum + piece.points[kind], 0))
    : eachKind((kind) => used[kind] - before.points[kind]);
  const isLast = lines === null || takesEverything(order, [...earlier, asked]);
  return {
    points: restorePoints ? points : eachKind(() => 0),
    coupons: restorePoints && isLast && !before.coupons,
    goods: restock ? (pieces?.map(({ goodsId, qty }) => ({ goodsId, qty })) ?? goodsLeft(order, before)) : [],
  };
}

/** Whether all points and coupons of an order are back. */
export function isAllBack(order: PaidOrder, refunds: readonly Pick<EarlierRefund, 'givenBack'>[]): boolean {
  const { points, coupons } = sumOf(refunds);
  const used = pointsOf(order);
  const left = eachKind((kind) => used[kind] - points[kind]);
  // Where the order took neither, it counts as given back with the last piece.
  return isNothing(left) && (coupons || (order.couponIds.length === 0 && !isNothing(used)));
}
