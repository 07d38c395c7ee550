import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { MerchantEvent } from '#domain/orders/administration/merchant-events.ts';
import { listen } from '#test/support/http/listen.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';

/** A request that a merchant received. */
export interface Received {
  /** The path, by which tests tell webhooks apart. */
  path: string;
  eventId: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: MerchantEvent;
}

type Respond = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/** A merchant's server: it keeps what it receives, and accepts it unless told otherwise. */
export async function startReceiver() {
  const accept: Respond = (_, response) => void response.writeHead(204).end();
  const state = { respond: accept };
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const call = {
        path: request.url ?? '',
        eventId: String(request.headers['webhook-id']),
        headers: request.headers,
        body,
        event: JSON.parse(body) as MerchantEvent,
      };
      received.push(call);
      state.respond(call, response, request);
    });
  });
  const url = await listen(server);
  return {
    url,
    received,
    state,
    accept,
    /** What came for an order, in order of arrival. */
    of: ({ orderId }: { orderId: string }) => received.filter(({ event }) => event.data.orderId === orderId),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export const useReceiver = (): Receiver =>
  fixture(async () => {
    const value = await startReceiver();
    return { value, close: value.close };
  });

/** The event, if the reference library accepts it. @throws WebhookVerificationError */
export function verified(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): MerchantEvent {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as MerchantEvent;
}
