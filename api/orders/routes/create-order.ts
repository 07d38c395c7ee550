import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import type { Database } from '#db/database.ts';
import { usableCoupons } from '#db/orders/catalogue/coupons.ts';
import { findGoods } from '#db/orders/catalogue/goods.ts';
import { findTenant } from '#db/orders/catalogue/tenants.ts';
import { insertOnce } from '#db/orders/order-keys.ts';
import { insertOrder, type NewOrder } from '#db/orders/orders.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { type Draft, price, type PricedOrder } from '#domain/orders/pricing.ts';
import { requestHash } from '#domain/orders/request-hash.ts';
import { type CreateOrder, draftOf } from '#domain/orders/requests.ts';
import type { CreatedData } from '#domain/orders/responses.ts';
import { transitions } from '#domain/orders/states.ts';
import type { ReadClick } from '../attribution/click-tokens.ts';
import { type NamedPayer, namedPayer } from '../named-payer.ts';
import type { Payer } from '../session.ts';
import { requireTenantAccess } from '../tenants.ts';

/** Without I, O, 0 and 1, which people confuse; 32 characters, so that a byte selects them evenly. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const MAXIMUM_NAME = 200;

/** The date and ten random characters, e.g. `20261121-K7Q2MWX4TR`, which reveal nothing about other orders. */
function newOrderNo(now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}-${[...randomBytes(10)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}

/** Looks up what the request names and computes the amounts. @throws OrderError */
async function priced(
  database: Database,
  payer: NamedPayer,
  tenantId: string,
  draft: Draft,
): Promise<PricedOrder & { currency: string }> {
  const tenant = await findTenant(database, tenantId);
  const result = price(draft, {
    tenant,
    goods: await findGoods(database, [...new Set(draft.items?.map((item) => item.goodsId) ?? [])]),
    usableCoupons: await usableCoupons(database, { tenantId, userId: payer.userId }, draft.couponIds),
  });
  if ('rejected' in result || !tenant) throw new OrderError('rejected' in result ? result.rejected : 90201);
  return { ...result.priced, currency: tenant.currency };
}

function newOrder(
  payer: NamedPayer,
  body: CreateOrder,
  draft: Draft,
  amounts: PricedOrder & { currency: string },
): Omit<NewOrder, 'origin'> {
  return {
    orderId: uuidv7(),
    orderNo: newOrderNo(new Date()),
    tenantId: body.tenantId,
    userId: payer.userId,
    payerName: payer.name.slice(0, MAXIMUM_NAME) || null,
    createdBy: payer.createdBy,
    contactServiceNumberId: body.contact?.serviceNumberId ?? null,
    contactId: body.contact?.contactId ?? null,
    title: body.title ?? null,
    description: body.description ?? null,
    totalMinor: amounts.totalMinor,
    grossMinor: amounts.grossMinor,
    currency: amounts.currency,
    tenantPoints: draft.tenantPoints,
    districtPoints: draft.districtPoints,
    walletPoints: draft.walletPoints,
    couponIds: draft.couponIds,
    earnLimitInfos: draft.earnLimitInfos ?? [],
    pointsTenantId: amounts.pointsTenantId,
    lines: amounts.lines,
    carrierId: draft.carrierId,
    npoban: body.npoban ?? null,
    buyerIdentifier: body.buyerIdentifier ?? null,
    buyerName: body.buyerName ?? null,
  };
}

/** Computes the amounts of a new order as of now. @throws OrderError */
async function draftOrder(database: Database, payer: NamedPayer, body: CreateOrder): Promise<Omit<NewOrder, 'origin'>> {
  const draft = draftOf(body);
  return newOrder(payer, body, draft, await priced(database, payer, body.tenantId, draft));
}

/** A program that does not know whether its call arrived must be able to repeat it. */
const keyRequired = { path: 'header/idempotency-key', message: 'is required for an API key' };

interface CreateRequest {
  body: CreateOrder;
  /** The Idempotency-Key. */
  key: string | null;
  readClick: ReadClick;
}

/**
 * Creates an order. With a key, the same body gives the order that the key stands for, as it is now: what has become of
 * goods and stock does not matter then, nor does the click token, which is no part of what is ordered.
 * @throws OrderError 90205 if the key was used for another body; 90003 and those of pricing
 */
export async function createOrder(
  database: Database,
  caller: Payer,
  { body: { clickToken, userId, payerName, ...body }, key, readClick }: CreateRequest,
): Promise<CreatedData> {
  const { tenantId } = body;
  const payer = namedPayer(caller, { tenantId, userId, payerName });
  await requireTenantAccess(database, caller, tenantId);
  const draft = async (connection: Database): Promise<NewOrder> => {
    const order = await draftOrder(connection, payer, body);
    return { ...order, origin: readClick(tenantId, clickToken) };
  };
  if (key === null) {
    if (payer.createdBy !== null) throw new OrderError(90001, { errors: [keyRequired] });
    const { orderId, orderNo } = await insertOrder(database, await draft(database));
    return { orderId, orderNo, ...transitions.created() };
  }
  const asked = payer.createdBy === null ? body : { ...body, payerName };
  const created = await insertOnce(
    database,
    { tenantId, userId: payer.userId, key, requestHash: requestHash(asked) },
    draft,
  );
  if (!created) throw new OrderError(90205);
  return created;
}
