/** A whole number of at most ten digits; null for anything else. */
export function wholeNumber(typed: string): number | null {
  return /^\d{1,10}$/.test(typed.trim()) ? Number(typed) : null;
}

/** A whole number other than 0 with an optional sign, of at most ten digits; null for anything else. */
export function signedWhole(typed: string): number | null {
  // A minus may come as the typographic one.
  const text = typed.trim().replace(/^−/, '-');
  if (!/^[+-]?\d{1,10}$/.test(text)) return null;
  return Number(text) || null;
}

/** Units with at most 2 decimals; null for anything else. */
export function typedMoney(typed: string): number | null {
  return /^\d{1,10}(\.\d{1,2})?$/.test(typed.trim()) ? Number(typed) : null;
}
