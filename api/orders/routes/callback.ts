import type { Router } from '@koa/router';
import type { Database } from '../../../db/database.ts';
import { recordEvent, type RecordedEvent } from '../../../db/orders/events.ts';
import { findPayment } from '../../../db/orders/payments.ts';
import { callbackSchema, callbackSignatureMatches, GATEWAY_SIGNATURE_HEADER } from '../../../domain/orders/callback.ts';
import { OrderError } from '../../../domain/orders/codes.ts';
import type { Logger } from '../../runtime/logger.ts';
import { response } from '../responses.ts';
import type { Launcher } from '../launch.ts';
import { parseOr90001, readOrderBody } from '../serve.ts';

interface CallbackDeps {
  database: Database;
  launcher: Launcher;
  logger: Logger;
  webhookSecret: string;
}

/** What is recorded is carried on by a workflow; where that cannot be reached now, the sweep does it. */
async function carryOn(deps: CallbackDeps, chargeId: string, recorded: RecordedEvent): Promise<void> {
  const { database, launcher, logger } = deps;
  if (recorded.status === 'unmatched') logger.warn({ chargeId }, 'a callback fits no order; staff look at it');
  if (recorded.orderId === null) return;
  const order = await findPayment(database, recorded.orderId);
  if (!order) return;
  if (recorded.status === 'stored') await launcher.drivePayment(order);
  if (recorded.refund) await launcher.startRefund({ chargeId, orderId: order.orderId, tenantId: order.tenantId });
}

/** `POST /payment-gateway/callback`: signature over the raw bytes, recorded, and only then answered. */
export function callbackRoutes(router: Router, deps: CallbackDeps): void {
  router.post('/payment-gateway/callback', async (ctx) => {
    const body = await readOrderBody(ctx);
    if (!callbackSignatureMatches(deps.webhookSecret, ctx.get(GATEWAY_SIGNATURE_HEADER), body.raw))
      throw new OrderError(90002, { message: 'The signature is missing or wrong' });
    const event = parseOr90001(callbackSchema, body.parse());
    const recorded = await recordEvent(deps.database, event, body.raw.toString('utf8'));
    response(ctx, null);
    carryOn(deps, event.chargeId, recorded).catch((error: unknown) =>
      deps.logger.warn({ err: error, chargeId: event.chargeId }, 'a recorded callback waits for the sweep'),
    );
  });
}
