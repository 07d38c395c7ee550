import { z } from 'zod';

/** Money is computed in integer minor units (cents); at the edges it is a number with at most 2 decimals. */
export type Minor = number;

export const MAX_MINOR: Minor = 999_999_999_999;
export const MAX_POINTS = 9_999_999_999;

/** Minor units per currency unit. */
export const MINOR_PER_UNIT = 100;

/** 1 currency unit is worth 4 walletPoints. */
export const WALLET_POINTS_PER_UNIT = 4;

/** An amount in minor units; NaN if it has more than 2 decimals. */
export function toMinor(amount: number): Minor {
  const minor = nearestMinor(amount);
  return minor / MINOR_PER_UNIT === amount ? minor + 0 : Number.NaN;
}

/** The nearest amount in minor units: a gateway may report fractions of a cent, which nobody agreed to. */
export const nearestMinor = (amount: number): Minor => Math.round(amount * MINOR_PER_UNIT);

/** The amount as a number with at most 2 decimals. */
export function fromMinor(minor: Minor): number {
  return minor / MINOR_PER_UNIT;
}

/** An amount from 0 to 9,999,999,999.99 with at most 2 decimals. */
export const moneySchema = z
  .number()
  .min(0)
  .max(fromMinor(MAX_MINOR))
  .refine((amount) => !Number.isNaN(toMinor(amount)), 'must have at most 2 decimals');

/** A whole number of points, from 0 to 9,999,999,999. */
export const pointsSchema = z.int().min(0).max(MAX_POINTS);

/** A change of a number of points or pieces, up or down. */
export const deltaSchema = z
  .int()
  .min(-MAX_POINTS)
  .max(MAX_POINTS)
  .refine((delta) => delta !== 0, 'must not be 0');
