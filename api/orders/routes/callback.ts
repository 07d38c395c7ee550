import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Database } from '#db/database.ts';
import { traceOfCharge } from '#db/orders/charges/sends.ts';
import { recordEvent, type RecordedEvent } from '#db/orders/events/events.ts';
import { recordRefundReport } from '#db/orders/events/refund-reports.ts';
import {
  callbackSchema,
  callbackSignatureMatches,
  GATEWAY_SIGNATURE_HEADER,
  type GatewayCallback,
  gatewayOperations,
  isRefundReport,
  mayBeSignature,
  type RefundReport,
  refundReportSchema,
} from '#domain/orders/callback.ts';
import { within } from '#domain/tracing.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { parseJsonOf } from '#api/http/body.ts';
import { codingOf } from '#api/http/incoming/coding.ts';
import { budgetLimits, createBodyBudget } from '#api/http/incoming/budget.ts';
import { parsePart, routerPath } from '#api/http/serve.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { tracing } from '#api/runtime/tracing/tracing.ts';
import type { Launcher } from '../launch.ts';
import { orderConventions } from '../order-api.ts';
import { enveloped } from '../responses.ts';

interface CallbackDeps {
  database: Database;
  launcher: Launcher;
  logger: Logger;
  webhookSecrets: readonly string[];
}

/** A workflow continues from the recorded event. If it cannot be reached now, the sweep does it. */
async function carryOn(
  { database, launcher, logger }: CallbackDeps,
  chargeId: string,
  { status, order, refund }: RecordedEvent,
): Promise<void> {
  if (status === 'unmatched') logger.warn({ chargeId }, 'a callback matches no order; staff must look at it');
  if (!order) return;
  const traces = tracing();
  const parent = traces && (await traceOfCharge(database, chargeId));
  if (status === 'stored')
    await within(traces, 'payment callback', parent ? [parent] : [], () => launcher.drivePayment(order));
  if (refund) await launcher.startRefund({ refundId: chargeId, orderId: order.orderId, tenantId: order.tenantId });
}

/** What is left to do once a callback is recorded and answered. */
interface Recorded {
  chargeId: string;
  goOn: () => Promise<void>;
}

async function recordPayment(deps: CallbackDeps, event: GatewayCallback, body: string): Promise<Recorded> {
  const recorded = await recordEvent(deps.database, event, body);
  return { chargeId: event.chargeId, goOn: () => carryOn(deps, event.chargeId, recorded) };
}

async function recordRefund(
  { database, launcher, logger }: CallbackDeps,
  report: RefundReport,
  body: string,
): Promise<Recorded> {
  const { eventId, chargeId } = report;
  const { status, orderId, tenantId } = await recordRefundReport(database, report, body);
  return {
    chargeId,
    goOn: async () => {
      if (status === 'unmatched') logger.warn({ chargeId }, 'a reported refund fits no charge; staff must look at it');
      if (status === 'stored' && tenantId !== null) await launcher.startRefundReport({ eventId, orderId, tenantId });
    },
  };
}

const notSigned = () => new OrderError(90002, { message: 'The signature is missing or invalid' });

/** A caller without a valid signature. */
const GATEWAY = 'gateway';

/** Checks the signature over the raw bytes, records the event, and only then responds. */
export function callbackRoutes(router: Router, deps: CallbackDeps): void {
  const operation = gatewayOperations.gatewayCallback;
  const part = { operation, part: 'body' } as const;
  const bodies = createBodyBudget({ ...budgetLimits, bytesPerSender: budgetLimits.bytes });
  async function take(ctx: Context, raw: Buffer, signature: string): Promise<void> {
    if (!callbackSignatureMatches(deps.webhookSecrets, signature, raw)) throw notSigned();
    codingOf(ctx.req);
    const body = parseJsonOf(ctx, raw);
    const text = raw.toString('utf8');
    const { chargeId, goOn } = isRefundReport(body)
      ? await recordRefund(deps, parsePart(orderConventions, { ...part, schema: refundReportSchema }, body), text)
      : await recordPayment(deps, parsePart(orderConventions, { ...part, schema: callbackSchema }, body), text);
    ctx.status = operation.status;
    ctx.body = enveloped(ctx, null);
    goOn().catch((error: unknown) =>
      deps.logger.warn({ err: error, chargeId }, 'a recorded callback is left to the sweep'),
    );
  }
  router[operation.method](routerPath(operation.path), async (ctx) => {
    const signature = ctx.get(GATEWAY_SIGNATURE_HEADER);
    if (!mayBeSignature(signature)) throw notSigned();
    await bodies.receive(ctx, GATEWAY, (raw) => take(ctx, raw, signature));
  });
}
