import type { StaffOrderData } from '#domain/orders/responses.ts';
import { apportion, ofPieces } from '#domain/orders/shares.ts';
import { wholeNumber } from '../typed-number.ts';

type Order = Pick<StaffOrderData, 'totalMoney' | 'items'>;

const CENTS = 100;
const inCents = (units: number): number => Math.round(units * CENTS);

/** How many pieces of each line somebody typed, none where nothing is; null where that is no such number. */
export function typedPieces({ items }: Order, typed: readonly string[]): number[] | null {
  const pieces = items.map(({ qty, refundedQty }, index) => {
    const text = typed[index]?.trim() || '0';
    const count = wholeNumber(text);
    return count === null || count > qty - refundedQty ? null : count;
  });
  return pieces.includes(null) ? null : pieces.filter((count) => count !== null);
}

/** What so many pieces of each line are worth, in units, and whether some are of a line without money. */
export function worthOf({ totalMoney, items }: Order, pieces: readonly number[]): { amount: number; isFree: boolean } {
  const shares = apportion(
    inCents(totalMoney),
    items.map(({ moneyAmount }) => inCents(moneyAmount)),
  );
  const cents = items.map(({ qty, refundedQty }, index) =>
    ofPieces(shares[index] ?? 0, { before: refundedQty, qty: pieces[index] ?? 0, of: qty }),
  );
  return {
    amount: cents.reduce((sum, one) => sum + one, 0) / CENTS,
    isFree: shares.some((share, index) => share === 0 && (pieces[index] ?? 0) > 0),
  };
}

/** The pieces as a request names them. */
export const asLines = ({ items }: Order, pieces: readonly number[]) =>
  items.map(({ lineId }, index) => ({ lineId, qty: pieces[index] ?? 0 })).filter(({ qty }) => qty > 0);
