import { createHttpExchange, type HttpExchange } from '../http/exchange.ts';
import { signedHeaders } from './standard-webhooks.ts';
import type { OutsideAddresses } from '../addresses/outside-addresses.ts';

/** An event as posted to the webhook endpoint. */
export interface Post {
  url: string;
  /** `whsec_…`: each signs it. */
  secrets: readonly string[];
  eventId: string;
  body: string;
}

export interface PostResult {
  /** Only a 2xx status means that the receiver has the event. */
  accepted: boolean;
  /** The HTTP status; null without a response. */
  status: number | null;
  /** Why there was no response; null with one. */
  error: string | null;
}

export interface WebhookClient {
  /** Never rejects because of the receiver. */
  post(event: Post): Promise<PostResult>;
}

const TIMEOUT_MS = 10_000;
/** What a receiver writes in response is ignored; so much of it is read that the connection can be used again. */
const RESPONSE_BYTES = 65_536;

export const createWebhookExchange = (targets: OutsideAddresses): HttpExchange =>
  createHttpExchange({
    timeoutMs: TIMEOUT_MS,
    connections: null,
    maximumResponseBytes: RESPONSE_BYTES,
    cutResponses: true,
    lookup: targets.lookup,
  });

/** Posts signed events. Redirects are not followed. */
export function createWebhookClient({
  exchange,
  targets,
}: {
  exchange: HttpExchange;
  targets: OutsideAddresses;
}): WebhookClient {
  return {
    async post({ url: address, secrets, eventId, body }) {
      const url = new URL(address);
      // An address in the URL is not looked up, so the lookup of the connection does not see it.
      const problem = targets.problemOfText(url);
      if (problem !== null) return { accepted: false, status: null, error: `the URL ${problem}` };
      const result = await exchange.send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...signedHeaders(secrets, { eventId, body, at: new Date() }) },
        body,
      });
      if (result.kind === 'failed') return { accepted: false, status: null, error: result.message };
      const { status } = result.response;
      return { accepted: status >= 200 && status < 300, status, error: null };
    },
  };
}
