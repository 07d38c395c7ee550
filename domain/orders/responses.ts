import { z } from 'zod';
import { fieldErrorSchema } from '../api/problem.ts';
import { page, timestamp } from '../api/primitives.ts';
import { pointKinds } from './administration.ts';
import { invoiceSchema, shownInvoiceFields } from './invoice.ts';
import { approvalSchema } from './administration/approvals.ts';
import { disputeSchema } from './administration/disputes.ts';
import { refundSchema } from './administration/refunds.ts';
import { contactOfOrderSchema } from './requests.ts';
import { orderPhases, orderReasons } from './standing.ts';

/** The `data` of the order service's responses. Money is a number with at most 2 decimals. */
const money = z.number();
const points = z.int();

export const statusesSchema = z.object({ orderStatus: z.int(), pointsStatus: z.int(), paymentStatus: z.int() });

export const createdSchema = statusesSchema
  .extend({ orderId: z.string(), orderNo: z.string() })
  .meta({ id: 'CreatedOrder' });
export type CreatedData = z.infer<typeof createdSchema>;

export const paySchema = statusesSchema
  .extend({ orderId: z.string(), orderNo: z.string(), paymentUrl: z.string().nullable() })
  .meta({ id: 'PaidOrder' });
export type PayData = z.infer<typeof paySchema>;

/** Money that the gateway shows as paid for a charge; amounts in units. */
const receivedSchema = z.object({ chargeId: z.string(), amount: money, currency: z.string(), at: timestamp });

export const orderSchema = statusesSchema
  .extend({
    orderId: z.string(),
    orderNo: z.string(),
    tenantId: z.string(),
    /** The merchant, as its payers know it. */
    tenantName: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    moneyAmount: money,
    grossMoneyAmount: money,
    totalMoney: money,
    currency: z.string(),
    pointsPlan: z.object({
      tenantPoints: points,
      districtPoints: points,
      walletPoints: points,
      couponIds: z.array(z.string()),
      earnLimitInfos: z.array(z.object({ attribute: z.string(), points })),
    }),
    items: z.array(
      z.object({
        /** Stays the same, and is the only one in the order. */
        lineId: z.string(),
        goodsId: z.string(),
        /** The name of the goods when the order was created. */
        name: z.string(),
        qty: z.int(),
        /** How many of them refunds by line are for, those under way included. */
        refundedQty: z.int(),
        paymentOptionId: z.string(),
        point: points,
        points,
        moneyAmount: money,
      }),
    ),
    ...shownInvoiceFields,
    paymentUrl: z.string().nullable(),
    /** Where the payment page sends the payer after paying; null if the current attempt names no address. */
    resultURL: z.string().nullable(),
    /** The same after a cancel. */
    cancelURL: z.string().nullable(),
    expiresAt: timestamp.nullable(),
    /**
     * The gateway reports something other than what was agreed, and staff decide: until then the order can be neither
     * paid nor cancelled.
     */
    underReview: z.boolean(),
    /** What the gateway shows as paid for the current attempt; null if nothing. */
    received: receivedSchema.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Order' });
export type OrderData = z.infer<typeof orderSchema>;

export const orderPageSchema = page(orderSchema).meta({ id: 'OrderPage' });

export const callbackEventSchema = z.object({
  eventId: z.string(),
  type: z.string(),
  chargeId: z.string(),
  orderNo: z.string(),
  shopId: z.string(),
  amount: money,
  currency: z.string(),
  status: z.enum(['stored', 'settled', 'refunded', 'unmatched', 'ignored']),
  receivedAt: timestamp,
  /** The callback's body, verbatim. */
  body: z.string(),
  resolution: z.enum(['refund', 'ignore']).nullable(),
  resolvedBy: z.string().nullable(),
  note: z.string().nullable(),
  /** The refund of its money that waits for an approval; null if none does. */
  approval: approvalSchema.nullable(),
});
export type CallbackEvent = z.infer<typeof callbackEventSchema>;

export const callbackPageSchema = page(callbackEventSchema).meta({ id: 'CallbackPage' });
export type CallbackPage = z.infer<typeof callbackPageSchema>;

const staffFields = {
  userId: z.string(),
  /** As the payer's session named them when they ordered; null for old orders. */
  payerName: z.string().nullable(),
  /** `key:<id>` of the API key that created it for the payer; null where the payer did. */
  createdBy: z.string().nullable(),
  /** The contact that the shop named; null if it named none. */
  contact: contactOfOrderSchema.nullable(),
  /** `disputed` while a dispute is open; the others wait for a decision by staff. */
  flags: z.array(z.string()),
  /** A refund or a dispute of this order waits for staff, or a refund for an approval. */
  needsStaff: z.boolean(),
  /** Of the payment's workflow; there is none where nothing is payable. */
  workflowId: z.string(),
};

/** Null if the order goes on, or nothing is expected of it. */
const standingSchema = z
  .object({
    /** What it is at. */
    phase: z.enum(orderPhases),
    /** Why it does not go on, as far as is known. */
    reason: z.enum(orderReasons),
    /** When it last made progress. */
    since: timestamp,
    /** For how long its phase may go on without. */
    expectedSeconds: z.int(),
    /** Since when the reason holds; null where that is not known. */
    reasonSince: timestamp.nullable(),
  })
  .nullable();
export type OrderStandingData = z.infer<typeof standingSchema>;

export const orderStandingSchema = z.object({ standing: standingSchema }).meta({ id: 'OrderStanding' });

const listedOrderSchema = orderSchema.extend({ ...staffFields, standing: standingSchema });
export type ListedStaffOrder = z.infer<typeof listedOrderSchema>;

export const staffOrderPageSchema = page(listedOrderSchema).meta({ id: 'StaffOrderPage' });
export type StaffOrderPage = z.infer<typeof staffOrderPageSchema>;

export const staffOrderSchema = orderSchema
  .extend({
    ...staffFields,
    flagDetails: z.array(
      z.object({
        code: z.string(),
        /** What was agreed, as text. */
        expected: z.string(),
        /** What the gateway reports instead, as text. */
        reported: z.string(),
        raisedAt: timestamp,
        resolution: z.string().nullable(),
        resolvedBy: z.string().nullable(),
        resolvedAt: timestamp.nullable(),
      }),
    ),
    attempts: z.array(
      z.object({
        attempt: z.int(),
        startedAt: timestamp,
        holdStatus: z.enum(['reserved', 'committed', 'released']),
        expiresAt: timestamp,
        shopId: z.string().nullable(),
        currency: z.string(),
        chargeId: z.string().nullable(),
        /** How often the charge was sent; always with the same key. */
        chargeSends: z.int(),
        cancelRequested: z.boolean(),
        /** When the charge was last read from the gateway. */
        readAt: timestamp.nullable(),
        received: receivedSchema.nullable(),
      }),
    ),
    /** Every triple of statuses the order has had, oldest first. */
    history: z.array(statusesSchema.extend({ at: timestamp, attempt: z.int() })),
    ledger: z.array(
      z.object({
        movement: z.string(),
        tenantId: z.string(),
        userId: z.string(),
        /** `cash`: the accounts of its money, whose amounts are in units. */
        kind: z.enum([...pointKinds, 'cash']),
        bucket: z.string(),
        amount: z.number(),
        at: timestamp,
      }),
    ),
    events: z.array(callbackEventSchema),
    /** What of it can still be refunded, in units. */
    refundable: money,
    refunds: z.array(refundSchema),
    /** Newest first. */
    disputes: z.array(disputeSchema),
    /** Refunds that another member of staff had to approve, oldest first. */
    approvals: z.array(approvalSchema),
    /** What a provider issued for it, as staff entered it; null if they did not. */
    invoice: invoiceSchema.nullable(),
    /** The button of a campaign that it came from; null if it came from none, or nobody can say. */
    origin: z
      .object({
        campaignId: z.string(),
        subTaskKey: z.string(),
        messageIndex: z.int(),
        actionIndex: z.int(),
        /** What is paid later does not count for the campaign. */
        countsUntil: timestamp,
      })
      .nullable(),
    /** What staff noted, newest first. */
    notes: z.array(
      z.object({ noteId: z.string(), author: z.string(), authorName: z.string(), text: z.string(), at: timestamp }),
    ),
  })
  .meta({ id: 'StaffOrder' });
export type StaffOrderData = z.infer<typeof staffOrderSchema>;

export const attentionSchema = z
  .object({
    /** Orders with a flag, an open dispute, or a refund or dispute that waits for staff. */
    orders: z.int(),
    /** Money without an order that waits for a decision: callbacks and refunds. */
    unmatched: z.int(),
  })
  .meta({ id: 'OrderAttention' });
export type AttentionData = z.infer<typeof attentionSchema>;

const balance = z.object({ available: points, reserved: points, committed: points });
export const balancesSchema = z
  .object({ tenant: balance, district: balance, wallet: balance })
  .meta({ id: 'PointBalances' });
export type Balances = z.infer<typeof balancesSchema>;

/** The envelope of every response of the service, including errors. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({
    code: z.int(),
    message: z.string(),
    data,
    requestId: z.string(),
    errors: z.array(fieldErrorSchema).optional(),
  });
export type Envelope = z.infer<ReturnType<typeof envelope<z.ZodUnknown>>>;
