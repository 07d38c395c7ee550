import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './generated/schema.ts';

export type { components, operations, paths } from './generated/schema.ts';

/** A body of the API by its name in the OpenAPI document, e.g. `Schema<'Campaign'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface OutreachOptions {
  /** Where the API is, without a path: `https://outreach.example`. */
  baseUrl: string;
  /** `outreach_…`, as an administrator got it in the settings. */
  key: string;
  /** Instead of the platform's own, for proxies and tests. */
  fetch?: (request: Request) => Promise<Response>;
}

export type OutreachClient = Client<paths>;

/**
 * Calls the outreach API with a key. Each method resolves to `{ data, error, response }`: `error` is a problem document
 * (RFC 9457) with a `code`, and only a connection that fails rejects.
 * @throws TypeError for a text that is no key, before anything is sent.
 */
export function createOutreachClient({ baseUrl, key, fetch }: OutreachOptions): OutreachClient {
  if (!/^outreach_[0-9a-f]{32}_[\w-]{43}$/.test(key)) throw new TypeError('This is not an API key');
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` }, ...(fetch && { fetch }) });
}
