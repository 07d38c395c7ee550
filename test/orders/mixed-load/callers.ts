import { chargePastUs } from '#test/support/http/gateway-charge.ts';
import type { Stack } from '#test/support/services/stack.ts';
import type { Tally } from './tally.ts';

/** A response of the order service. `data` is as the contract describes it for the operation that was called. */
export interface Reply<Data> {
  code: number;
  data: Data;
}

export interface Caller {
  /** Calls the order service; `operation` is the name it is counted by. */
  call<Data>(operation: string, method: string, path: string, body?: unknown): Promise<Reply<Data>>;
}

const LIFE_SECONDS = 4 * 60 * 60;

async function send(method: string, url: string, body: unknown, headers: Record<string, string>) {
  const began = performance.now();
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, ms: performance.now() - began };
}

/** Whoever calls the services: payers and staff with tokens of the sandbox's identity service, and the test itself. */
export function createCallers({ addresses, settings }: Pick<Stack, 'addresses' | 'settings'>, tally: Tally) {
  /** The sandbox's control API. @returns null where it rejects the call. */
  async function sandbox<Data>(operation: string, method: string, path: string, body?: unknown): Promise<Data | null> {
    const { status, text, ms } = await send(method, `${addresses.sandbox}${path}`, body, {});
    tally.response(operation, status, ms);
    return status < 300 ? (JSON.parse(text) as Data) : null;
  }

  async function person(sub: string, tenantId: string, roles: string[]): Promise<Caller> {
    const request = { sub, name: sub, tenantId, roles, expiresInSeconds: LIFE_SECONDS };
    const minted = await sandbox<{ token: string }>('token', 'POST', '/sandbox/tokens', request);
    if (!minted) throw new Error(`the sandbox gives ${sub} no token`);
    const headers = { authorization: `Bearer ${minted.token}` };
    return {
      async call<Data>(operation: string, method: string, path: string, body?: unknown): Promise<Reply<Data>> {
        const response = await send(method, `${addresses.orders}/transaction/v1${path}`, body, headers);
        const reply = JSON.parse(response.text) as Reply<Data>;
        tally.response(operation, reply.code, response.ms);
        return reply;
      },
    };
  }

  /** A charge that somebody else makes in our shop, for an order that only they know; null if the gateway makes none. */
  const foreignCharge = (shopId: string, orderNo: string): Promise<string | null> =>
    chargePastUs({ addresses, settings }, { shopId, orderNo, amount: 7 }).catch(() => null);

  return { sandbox, person, foreignCharge };
}

export type Callers = ReturnType<typeof createCallers>;

/** The data of a response that must be a success. @throws Error with the code */
export function succeeded<Data>(what: string, { code, data }: Reply<Data>): Data {
  if (code !== 1000) throw new Error(`${what} got code ${code}`);
  return data;
}
