import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { timestamp } from '../api/primitives.ts';
import { disputeOutcomes } from './administration/disputes.ts';
import { CHARGE_DISPUTED, CHARGE_REFUNDED, DISPUTE_CLOSED } from './event-types.ts';
import { orderOperation } from './operations/describe.ts';
import { orderId as identifier, orderText, storedId } from './requests.ts';

export const GATEWAY_SIGNATURE_HEADER = 'X-Gateway-Signature';

/** A signature further from now than this is rejected, so that a recorded call cannot be replayed much later. */
const TOLERANCE_SECONDS = 300;

export const callbackSchema = z
  .object({
    eventId: identifier,
    type: orderText,
    chargeId: identifier,
    orderNo: orderText,
    shopId: orderText,
    amount: z.number(),
    currency: orderText,
    paidAt: orderText.nullish(),
  })
  .meta({ id: 'GatewayCallback' });
export type GatewayCallback = z.infer<typeof callbackSchema>;

/** What a report may say of its charge besides; where it does, it must agree with what we know. */
const ofCharge = { orderNo: orderText.nullish(), shopId: orderText.nullish(), currency: orderText.nullish() };

export const refundReportSchema = z
  .object({
    eventId: identifier,
    type: z.literal(CHARGE_REFUNDED),
    chargeId: identifier,
    /** The gateway's id of the refund. */
    refundId: identifier,
    /** Of this refund, in units. */
    amount: z.number(),
    /** Of the request of ours that made it. */
    idempotencyKey: orderText.nullish(),
    ...ofCharge,
    refundedAt: orderText.nullish(),
  })
  .meta({ id: 'RefundReport' });
export type RefundReport = z.infer<typeof refundReportSchema>;

const disputeOpenedSchema = z
  .object({
    eventId: identifier,
    type: z.literal(CHARGE_DISPUTED),
    chargeId: identifier,
    disputeId: storedId,
    /** In units. */
    amount: z.number(),
    reason: orderText,
    /** Until when the gateway takes evidence. */
    dueAt: timestamp,
    ...ofCharge,
    /** The time of receipt where missing. */
    openedAt: timestamp.nullish(),
  })
  .meta({ id: 'DisputeOpened' });
export type DisputeOpened = z.infer<typeof disputeOpenedSchema>;

const disputeClosedSchema = z
  .object({
    eventId: identifier,
    type: z.literal(DISPUTE_CLOSED),
    disputeId: storedId,
    outcome: z.enum(disputeOutcomes),
    ...ofCharge,
    /** The time of receipt where missing. */
    closedAt: timestamp.nullish(),
  })
  .meta({ id: 'DisputeClosed' });
export type DisputeClosed = z.infer<typeof disputeClosedSchema>;

export const disputeReportSchema = z.discriminatedUnion('type', [disputeOpenedSchema, disputeClosedSchema]);
export type DisputeReport = z.infer<typeof disputeReportSchema>;

const typeOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;

/** Whether a callback should be one about a refund; it may be anything. */
export const isRefundReport = (body: unknown): boolean => typeOf(body) === CHARGE_REFUNDED;

/** The same about a dispute; one without an id cannot be told from others, and is like any type that we do not know. */
export const isDisputeReport = (body: unknown): boolean =>
  [CHARGE_DISPUTED, DISPUTE_CLOSED].includes(String(typeOf(body))) && Object.hasOwn(Object(body), 'disputeId');

/** The payment gateway's calls; the route verifies the signature over the raw bytes before parsing them. */
export const gatewayOperations = {
  gatewayCallback: orderOperation({
    method: 'post',
    path: '/payment-gateway/callback',
    tag: 'payment gateway',
    summary:
      'Receives the payment gateway’s report that a charge is paid, was refunded or is disputed; recorded before the response, safe to retry',
    access: 'gateway',
    headers: z.object({ [GATEWAY_SIGNATURE_HEADER]: z.string() }),
    body: z.union([refundReportSchema, disputeOpenedSchema, disputeClosedSchema, callbackSchema]),
    status: 200,
    response: z.null(),
    errors: [90001, 90002, 90999],
  }),
};

/** The header's value: `t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + raw body)>`. */
export function signCallback(secret: string, seconds: number, body: Buffer | string): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** The parts of a signature that could still hold: it is well-formed, and from within 300 s of `now`. */
function readSignature(header: string | undefined, now: Date): { at: string; mac: string } | null {
  const [, at, mac] = /^t=(\d{1,12}),\s*v1=([0-9a-fA-F]{64})$/.exec(header ?? '') ?? [];
  if (!at || !mac) return null;
  // In whole seconds, like `t`: a signature is valid to the end of the 300th second.
  return Math.abs(Math.floor(now.getTime() / 1000) - Number(at)) > TOLERANCE_SECONDS ? null : { at, mac };
}

/** Whether it is worth reading the body that the header signs. */
export const mayBeSignature = (header: string | undefined, now: Date = new Date()): boolean =>
  readSignature(header, now) !== null;

/** Whether the header is the one that one of the secrets gives for these bytes, within 300 s of `now`. */
export function callbackSignatureMatches(
  secrets: readonly string[],
  header: string | undefined,
  body: Buffer,
  now: Date = new Date(),
): boolean {
  const signature = readSignature(header, now);
  if (!signature) return false;
  // What was signed is the text of t as received.
  const signed = `${signature.at}.`;
  const given = Buffer.from(signature.mac, 'hex');
  return secrets.some((secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(signed).update(body).digest(), given),
  );
}
