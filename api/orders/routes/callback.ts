import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { Database } from '#db/database.ts';
import { traceOfCharge } from '#db/orders/charges/sends.ts';
import { recordEvent, type RecordedEvent } from '#db/orders/events/events.ts';
import { recordDisputeReport } from '#db/orders/disputes/reports.ts';
import { recordRefundReport, type RecordedReport } from '#db/orders/events/refund-reports.ts';
import {
  callbackSchema,
  callbackSignatureMatches,
  type DisputeReport,
  disputeReportSchema,
  GATEWAY_SIGNATURE_HEADER,
  type GatewayCallback,
  gatewayOperations,
  isDisputeReport,
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
async function continuePayment(
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
  proceed: () => Promise<void>;
}

async function recordPayment(deps: CallbackDeps, event: GatewayCallback, body: string): Promise<Recorded> {
  const recorded = await recordEvent(deps.database, event, body);
  return { chargeId: event.chargeId, proceed: () => continuePayment(deps, event.chargeId, recorded) };
}

/** What the gateway reports beside payments. */
function afterReport(
  { launcher, logger }: CallbackDeps,
  { eventId, chargeId }: { eventId: string; chargeId: string },
  { status, orderId, tenantId }: RecordedReport,
): Recorded {
  return {
    chargeId,
    proceed: async () => {
      if (status === 'unmatched') logger.warn({ chargeId, eventId }, 'a report fits no charge; staff must look at it');
      if (status === 'stored' && tenantId !== null) await launcher.startReport({ eventId, orderId, tenantId });
    },
  };
}

async function recordRefund(deps: CallbackDeps, report: RefundReport, body: string): Promise<Recorded> {
  return afterReport(deps, report, await recordRefundReport(deps.database, report, body));
}

async function recordDispute(deps: CallbackDeps, report: DisputeReport, body: string): Promise<Recorded> {
  const chargeId = 'chargeId' in report ? report.chargeId : '';
  return afterReport(deps, { ...report, chargeId }, await recordDisputeReport(deps.database, report, body));
}

const notSigned = () => new OrderError(90002, { message: 'The signature is missing or invalid' });

/** A caller without a valid signature. */
const GATEWAY = 'gateway';

/** Checks the signature over the raw bytes, records the event, and only then responds. */
export function callbackRoutes(router: Router, deps: CallbackDeps): void {
  const operation = gatewayOperations.gatewayCallback;
  const part = { operation, part: 'body' } as const;
  const bodies = createBodyBudget({ ...budgetLimits, bytesPerSender: budgetLimits.bytes });
  const parse = <Schema extends z.ZodType>(schema: Schema, body: unknown) =>
    parsePart(orderConventions, { ...part, schema }, body);
  function record(body: unknown, text: string): Promise<Recorded> {
    if (isRefundReport(body)) return recordRefund(deps, parse(refundReportSchema, body), text);
    if (isDisputeReport(body)) return recordDispute(deps, parse(disputeReportSchema, body), text);
    return recordPayment(deps, parse(callbackSchema, body), text);
  }
  async function take(ctx: Context, raw: Buffer, signature: string): Promise<void> {
    if (!callbackSignatureMatches(deps.webhookSecrets, signature, raw)) throw notSigned();
    codingOf(ctx.req);
    const body = parseJsonOf(ctx, raw);
    const { chargeId, proceed } = await record(body, raw.toString('utf8'));
    ctx.status = operation.status;
    ctx.body = enveloped(ctx, null);
    proceed().catch((error: unknown) =>
      deps.logger.warn({ err: error, chargeId }, 'a recorded callback is left to the sweep'),
    );
  }
  router[operation.method](routerPath(operation.path), async (ctx) => {
    const signature = ctx.get(GATEWAY_SIGNATURE_HEADER);
    if (!mayBeSignature(signature)) throw notSigned();
    await bodies.receive(ctx, GATEWAY, (raw) => take(ctx, raw, signature));
  });
}
