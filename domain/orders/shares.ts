/**
 * What parts of an order are worth of what was paid for the whole, in whole units: however it is divided, the parts add
 * up to the whole.
 */

const quotient = (amount: number, part: number, whole: number): number =>
  Number((BigInt(amount) * BigInt(part)) / BigInt(whole));

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * Divides an amount by weights, rounded down; what remains goes one unit each to those with a weight, in order. Without any
 * weight all weigh the same.
 */
export function apportion(amount: number, weights: readonly number[]): number[] {
  const whole = sum(weights);
  if (whole === 0) return weights.length === 0 ? [] : apportion(amount, Array<number>(weights.length).fill(1));
  const shares = weights.map((weight) => quotient(amount, weight, whole));
  let rest = amount - sum(shares);
  return shares.map((share, index) => {
    const isTopped = rest > 0 && (weights[index] ?? 0) > 0;
    if (isTopped) rest -= 1;
    return isTopped ? share + 1 : share;
  });
}

/** What so many pieces of a share for `of` are worth, after `before` of them: the last brings the rest. */
export function ofPieces(share: number, { before, qty, of }: { before: number; qty: number; of: number }): number {
  return quotient(share, before + qty, of) - quotient(share, before, of);
}
