import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { signCallback } from '../../../domain/orders/callback.ts';
import { listen } from '../../support/http/listen.ts';

export interface FakeCharge {
  chargeId: string;
  status: 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded';
  amount: number;
  currency: string;
  shopId: string;
  orderNo: string;
  callbackURL: string;
  expiresAt: string;
}

export interface GatewayCall {
  operation: 'create' | 'read' | 'cancel' | 'refund';
  idempotencyKey: string | undefined;
  chargeId: string | undefined;
  body: Record<string, unknown>;
}

/**
 * How a call fails: an error response without an effect, neither effect nor response, or an effect without a
 * response.
 */
export type GatewayFault = { response: [number, object] } | 'reset' | 'lost' | { holdUntil: Promise<unknown> };

const WEBHOOK_SECRET = 'a webhook secret of the tests';

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function parse(request: IncomingMessage): { operation: GatewayCall['operation']; chargeId: string | undefined } {
  const [, , , chargeId, verb] = (request.url ?? '').split('/');
  if (!chargeId) return { operation: 'create', chargeId: undefined };
  return { operation: verb === 'cancel' || verb === 'refund' ? verb : 'read', chargeId: decodeURIComponent(chargeId) };
}

/** A payment gateway in memory that records every call and follows the contract's rules. */
export async function startFakeGateway() {
  const charges = new Map<string, FakeCharge>();
  const byKey = new Map<string, [number, object]>();
  const calls: GatewayCall[] = [];
  const state: { fault: (call: GatewayCall, count: number) => GatewayFault | undefined } = { fault: () => undefined };

  function create(call: GatewayCall): [number, object] {
    const found = byKey.get(call.idempotencyKey ?? '');
    if (found) return found;
    const chargeId = `ch-${randomUUID()}`;
    charges.set(chargeId, { ...(call.body as unknown as FakeCharge), chargeId, status: 'pending' });
    const result: [number, object] = [201, { chargeId, status: 'pending', paymentUrl: `http://pay.test/${chargeId}` }];
    byKey.set(call.idempotencyKey ?? '', result);
    return result;
  }

  function effect(call: GatewayCall): [number, object] {
    if (call.operation === 'create') return create(call);
    const charge = charges.get(call.chargeId ?? '');
    if (!charge) return [404, { code: 'no_such_charge' }];
    if (call.operation === 'cancel') {
      if (charge.status !== 'pending') return [409, { code: 'not_pending', status: charge.status }];
      charge.status = 'cancelled';
    }
    if (call.operation === 'refund') {
      if (charge.status !== 'paid' && charge.status !== 'refunded')
        return [409, { code: 'not_paid', status: charge.status }];
      charge.status = 'refunded';
    }
    return [200, { ...charge }];
  }

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
    const [status, body] = fault && typeof fault === 'object' && 'response' in fault ? fault.response : effect(call);
    if (fault === 'lost') return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server: Server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  const baseUrl = await listen(server);

  async function callback(charge: FakeCharge, changes: Record<string, unknown> = {}): Promise<Response> {
    const body = JSON.stringify({
      eventId: `evt-${randomUUID()}`,
      type: 'charge.paid',
      chargeId: charge.chargeId,
      orderNo: charge.orderNo,
      shopId: charge.shopId,
      amount: charge.amount,
      currency: charge.currency,
      paidAt: new Date().toISOString(),
      ...changes,
    });
    return fetch(charge.callbackURL, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gateway-signature': signCallback(WEBHOOK_SECRET, Math.floor(Date.now() / 1000), body),
      },
      body,
    });
  }

  return {
    baseUrl,
    webhookSecret: WEBHOOK_SECRET,
    charges,
    calls,
    state,
    of: (operation: GatewayCall['operation']) => calls.filter((call) => call.operation === operation),
    chargeOf(orderNo: string): FakeCharge {
      const charge = [...charges.values()].find((candidate) => candidate.orderNo === orderNo);
      if (!charge) throw new Error(`no charge of ${orderNo}`);
      return charge;
    },
    callback,
    /** The payer pays; a charge that is not pending stays as it is, unless it is paid late. */
    async pay(orderNo: string, { late = false } = {}): Promise<Response | null> {
      const charge = [...charges.values()].find((candidate) => candidate.orderNo === orderNo);
      if (!charge) throw new Error(`no charge of ${orderNo}`);
      if (charge.status !== 'pending' && !late) return null;
      charge.status = 'paid';
      return callback(charge);
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
