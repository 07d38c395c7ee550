import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { signCallback } from '#domain/orders/callback.ts';
import { listen } from '#test/support/http/listen.ts';
import {
  createFakeCharges,
  disputeFake,
  type FakeCharge,
  type FakeDispute,
  type FakeRefund,
  type FakeResponse,
  type GatewayCall,
  refundFake,
} from './fake-charges.ts';

export type { FakeCharge, FakeDispute, FakeRefund, GatewayCall };

/**
 * How a call fails: an error response without an effect, neither effect nor response, or an effect without a
 * response.
 */
export type GatewayFault = { response: FakeResponse } | 'reset' | 'lost' | { holdUntil: Promise<unknown> };

const WEBHOOK_SECRET = 'a webhook secret of the tests';

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function parse(request: IncomingMessage): Pick<GatewayCall, 'operation' | 'chargeId' | 'query'> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://gateway.test');
  const [, , collection, chargeId, verb] = pathname.split('/');
  const query = Object.fromEntries(searchParams);
  if (collection === 'refunds') return { operation: 'refunds', chargeId: undefined, query };
  if (!chargeId) return { operation: request.method === 'GET' ? 'list' : 'create', chargeId: undefined, query };
  const operation = verb === 'cancel' || verb === 'refund' ? verb : 'read';
  return { operation, chargeId: decodeURIComponent(chargeId), query };
}

/** A payment gateway in memory that records every call and follows the contract's rules. */
export async function startFakeGateway() {
  const { charges, respond } = createFakeCharges();
  const calls: GatewayCall[] = [];
  const state: { fault: (call: GatewayCall, count: number) => GatewayFault | undefined } = { fault: () => undefined };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = request.headers['idempotency-key'];
    const call: GatewayCall = {
      ...parse(request),
      idempotencyKey: typeof key === 'string' ? key : undefined,
      body: await bodyOf(request),
    };
    calls.push(call);
    const count = calls.filter(({ operation }) => operation === call.operation).length;
    const fault = state.fault(call, count);
    if (fault === 'reset') return void request.socket.destroy();
    if (fault && typeof fault === 'object' && 'holdUntil' in fault) await fault.holdUntil;
    const [status, body] = fault && typeof fault === 'object' && 'response' in fault ? fault.response : respond(call);
    if (fault === 'lost') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server: Server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  const baseUrl = await listen(server);

  async function callback(charge: FakeCharge, changes: Record<string, unknown> = {}): Promise<Response> {
    return post(charge.callbackURL, {
      eventId: `evt-${randomUUID()}`,
      type: 'charge.paid',
      chargeId: charge.chargeId,
      orderNo: charge.orderNo,
      shopId: charge.shopId,
      amount: charge.amount,
      currency: charge.currency,
      paidAt: charge.paidAt ?? new Date().toISOString(),
      ...changes,
    });
  }

  async function post(url: string, content: object): Promise<Response> {
    const body = JSON.stringify(content);
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-signature': signCallback(WEBHOOK_SECRET, Math.floor(Date.now() / 1000), body),
      },
      body,
    });
  }

  /** Reports a refund of the charge with what the contract requires, and `changes`. */
  async function reportRefund(
    charge: FakeCharge,
    { refundId, amount, idempotencyKey }: FakeRefund,
    changes: Record<string, unknown> = {},
  ): Promise<Response> {
    const what = { type: 'charge.refunded', chargeId: charge.chargeId, refundId, amount };
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    return post(charge.callbackURL, { eventId: `evt-${randomUUID()}`, ...what, ...key, ...changes });
  }

  /** A refund at the gateway's desk; what is left where no amount is given. */
  function refundAtDesk(charge: FakeCharge, amount = charge.amount - charge.refundedAmount): FakeRefund {
    return refundFake(charge, amount);
  }

  /** The payer of the charge claims so much back; all of it where no amount is given. */
  function dispute(charge: FakeCharge, amount = charge.amount): FakeDispute {
    disputeFake(charge, amount);
    const dueAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
    return { disputeId: `dp-${randomUUID()}`, amount, reason: 'fraudulent', dueAt };
  }

  /** Reports a dispute of the charge with what the contract requires, and `changes`. */
  async function reportDispute(
    { chargeId, callbackURL }: FakeCharge,
    opened: FakeDispute,
    changes: Record<string, unknown> = {},
  ): Promise<Response> {
    return post(callbackURL, {
      eventId: `evt-${randomUUID()}`,
      type: 'charge.disputed',
      chargeId,
      ...opened,
      ...changes,
    });
  }

  /** The payer was wrong: the charge shows the dispute no more. What is lost it goes on showing. */
  const winDispute = (charge: FakeCharge, { amount }: FakeDispute): void => disputeFake(charge, -amount);

  /** Reports the end of a dispute, with `changes`. */
  async function reportClosure(
    { callbackURL }: FakeCharge,
    { disputeId }: FakeDispute,
    changes: { outcome: 'won' | 'lost' } & Record<string, unknown>,
  ): Promise<Response> {
    return post(callbackURL, { eventId: `evt-${randomUUID()}`, type: 'charge.dispute_closed', disputeId, ...changes });
  }

  function chargeOf(orderNo: string): FakeCharge {
    const charge = [...charges.values()].find((candidate) => candidate.orderNo === orderNo);
    if (!charge) throw new Error(`no charge of ${orderNo}`);
    return charge;
  }

  async function payCharge(charge: FakeCharge, { late = false, lost = false } = {}): Promise<Response | null> {
    if (charge.status !== 'pending' && !late) return null;
    Object.assign(charge, { status: 'paid', paidAt: new Date().toISOString() });
    return lost ? null : callback(charge);
  }

  return {
    baseUrl,
    webhookSecret: WEBHOOK_SECRET,
    charges,
    calls,
    state,
    of: (operation: GatewayCall['operation']) => calls.filter((call) => call.operation === operation),
    /** The first charge of an order. */
    chargeOf,
    callback,
    refundAtDesk,
    reportRefund,
    dispute,
    reportDispute,
    winDispute,
    reportClosure,
    /**
     * The payer pays this charge, of any attempt; one that is not pending stays as it is, unless it is paid late. The
     * callback of a `lost` payment is never sent.
     * @returns The response to the callback; null if there was none.
     */
    payCharge,
    /** The same for the first charge of an order. */
    pay: async (orderNo: string, how: { late?: boolean; lost?: boolean } = {}) => payCharge(chargeOf(orderNo), how),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
