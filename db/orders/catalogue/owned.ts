import type { Database } from '#db/database.ts';
import type { Author } from '../audit.ts';
import { Coupon, Goods } from '../models/catalogue.ts';

/** A write of staff to something that a tenant owns. */
export interface Owned {
  id: string;
  author: Author;
  /** The tenants that it may belong to now, if it exists: those that staff were found to reach. */
  owners: readonly string[];
}

/** Whether a write may replace what has this version; null: what does not exist. */
export type Precondition = (version: number | null) => boolean;

/**
 * Result of the write; `foreign` if it belongs to none of the owners, `stale` if the caller’s precondition fails, and then
 * nothing was written.
 */
export type Put<Data, Reason = never> = { stored: Data } | { rejected: Reason | 'foreign' | 'stale' };

/** The tenant that owns the goods or coupon; null if the id is unknown. */
export async function findOwner(database: Database, table: 'goods' | 'coupon', id: string): Promise<string | null> {
  const owned =
    table === 'goods' ? await Goods.query(database).findById(id) : await Coupon.query(database).findById(id);
  return owned?.tenantId ?? null;
}
