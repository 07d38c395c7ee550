import { z } from 'zod';
import { page, pagePart, timestamp } from '#domain/api/primitives.ts';
import { shownInvoiceFields } from '../invoice.ts';
import { orderId as identifier } from '../requests.ts';
import { refundOrigins } from './refunds.ts';
import { titleField } from '../order-title.ts';

/** Events that a merchant receives about its orders, signed as Standard Webhooks. */
export const merchantEventTypes = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'order.expired',
  'order.failed',
  'order.flagged',
  'refund.succeeded',
  'webhook.test',
] as const;
export type MerchantEventType = (typeof merchantEventTypes)[number];

/** What is posted. `webhook.test` has no order. */
export const merchantEventSchema = z.object({
  type: z.enum(merchantEventTypes),
  timestamp,
  data: z.object({
    orderId: z.string().optional(),
    orderNo: z.string().optional(),
    tenantId: z.string(),
    orderStatus: z.int().optional(),
    pointsStatus: z.int().optional(),
    paymentStatus: z.int().optional(),
    /** In units. */
    totalMoney: z.number().optional(),
    currency: z.string().optional(),
    /** For whom to issue an invoice; of `order.paid` alone, because it is about a person. */
    invoice: z.object(shownInvoiceFields).optional(),
    refund: z
      .object({
        refundId: z.string(),
        chargeId: z.string().nullable(),
        amount: z.number().nullable(),
        origin: z.enum(refundOrigins),
      })
      .optional(),
  }),
});
export type MerchantEvent = z.infer<typeof merchantEventSchema>;

export const putWebhookSchema = z
  .object({
    url: z.url({ protocol: /^https?$/, hostname: /.+/ }).max(2000),
    /** `whsec_` and 24 to 64 bytes in base64; one is made where missing. */
    secret: z
      .string()
      .regex(/^whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}==)?$|^whsec_([A-Za-z0-9+/]{4}){8,20}[A-Za-z0-9+/]{3}=$/)
      .nullish(),
  })
  .meta({ id: 'PutWebhook' });
export type PutWebhook = z.infer<typeof putWebhookSchema>;

export const webhookSchema = z
  .object({ tenantId: z.string(), url: z.string(), updatedAt: timestamp })
  .meta({ id: 'Webhook' });

/** `secret` where it was made by us; a secret that was given is not repeated. */
export const shownWebhookSchema = webhookSchema
  .extend({ secret: z.string().optional() })
  .meta({ id: 'WebhookWithSecret' });

/** `failed`: not accepted for 3 days, or the webhook is gone. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const deliverySchema = z
  .object({
    deliveryId: z.string(),
    eventId: z.string(),
    type: z.enum(merchantEventTypes),
    orderId: z.string().nullable(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    /** The HTTP status of the last attempt; null if there was no response. */
    lastStatus: z.int().nullable(),
    /** Why there was no response; null if there was one, or no attempt yet. */
    lastError: z.string().nullable(),
    /** Null where nothing is due: it has ended, or waits for the event before it, of the same order. */
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Delivery' });
export type DeliveryData = z.infer<typeof deliverySchema>;

export const deliverySearchSchema = z.object({ orderId: identifier.optional(), ...pagePart });

export const deliveryPageSchema = page(deliverySchema.extend(titleField)).meta({ id: 'DeliveryPage' });
