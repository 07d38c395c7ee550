import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, mapPage, pageOf, type PageRequest } from '#domain/cursor.ts';
import type { PutCoupon } from '#domain/orders/administration.ts';
import type { CouponData } from '#domain/orders/administration/catalogue.ts';
import { versioned } from '#domain/orders/administration/versions.ts';
import type { Database } from '#db/database.ts';
import { recordAudit } from '../audit.ts';
import { Coupon, nextVersion } from '../models/catalogue.ts';
import { lockName, transact } from '../transaction.ts';
import type { Owned, Precondition, Put } from './owned.ts';

const fieldsOf = ({ couponId, tenantId, userId, name, status, orderId }: Coupon) => ({
  couponId,
  tenantId,
  userId,
  name,
  status,
  orderId,
});

const asData = (coupon: Coupon): CouponData => ({ ...fieldsOf(coupon), ...versioned(coupon) });

/** Creates a coupon, or changes one that is available. */
export async function putCoupon(
  database: Database,
  { id: couponId, author, owners }: Owned,
  { tenantId, userId, name }: PutCoupon,
  precondition: Precondition,
): Promise<Put<CouponData, 'not_available'>> {
  return transact(database, async (transaction) => {
    await lockName(transaction, ['coupon', couponId]);
    const before = await Coupon.query(transaction).findById(couponId).forUpdate();
    if (before && !owners.includes(before.tenantId)) return { rejected: 'foreign' };
    if (before && before.status !== 'available') return { rejected: 'not_available' };
    if (!precondition(before?.version ?? null)) return { rejected: 'stale' };
    await Coupon.query(transaction)
      .insert({ couponId, tenantId, userId, name, version: nextVersion })
      .onConflict('couponId')
      .merge(['tenantId', 'userId', 'name', 'version']);
    const coupon = await Coupon.query(transaction).findById(couponId).throwIfNotFound();
    await recordAudit(transaction, {
      tenantId,
      author,
      action: 'coupon.put',
      subject: { type: 'coupon', id: couponId },
      before: before ? { ...fieldsOf(before) } : null,
      after: { ...fieldsOf(coupon) },
    });
    return { stored: asData(coupon) };
  });
}

export async function findCoupon(database: Database, couponId: string): Promise<CouponData | null> {
  const found = await Coupon.query(database).findById(couponId);
  return found ? asData(found) : null;
}

/** The coupons among these that the payer can use now at this tenant: neither used nor held. */
export async function usableCoupons(
  database: Database,
  owner: { tenantId: string; userId: string },
  couponIds: string[],
): Promise<Set<string>> {
  if (couponIds.length === 0) return new Set();
  const found = await Coupon.query(database)
    .findByIds(couponIds)
    .where({ ...owner, status: 'available' });
  return new Set(found.map((row) => row.couponId));
}

export interface CouponSearch {
  tenantId: string;
  userId?: string | undefined;
  status?: CouponData['status'] | undefined;
}

/** Coupons of a tenant by id. @throws Problem for a foreign cursor */
export async function listCoupons(
  database: Database,
  { tenantId, userId, status }: CouponSearch,
  { cursor, limit }: PageRequest,
): Promise<Page<CouponData>> {
  const [after] = decodeCursor(z.tuple([keyText]), cursor) ?? [];
  const found = await Coupon.query(database)
    .where({ tenantId, ...(userId === undefined ? {} : { userId }), ...(status === undefined ? {} : { status }) })
    .where((coupon) => after !== undefined && coupon.where('couponId', '>', after))
    .orderBy('couponId')
    .limit(limit + 1);
  return mapPage(
    pageOf(found, limit, ({ couponId }) => [couponId]),
    asData,
  );
}
