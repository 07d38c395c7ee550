/** A whole number other than 0 with an optional sign, of at most ten digits; null for anything else. */
export function signedWhole(typed: string): number | null {
  // A minus may come as the typographic one.
  const text = typed.trim().replace(/^−/, '-');
  if (!/^[+-]?\d{1,10}$/.test(text)) return null;
  return Number(text) || null;
}
