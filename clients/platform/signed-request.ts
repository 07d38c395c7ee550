import { authorize, createNonce, NONCE_HEADER } from '#domain/signature.ts';
import type { Exchange, HttpExchange, HttpRequest } from '../http/exchange.ts';

/** The caller of the platform, with the secret that proves its identity. */
export interface Signer {
  tenantIntegrationId: string;
  secret: string;
}

export interface PlatformRequest extends Pick<HttpRequest, 'ownConnection' | 'isCalledOff'> {
  method: 'GET' | 'POST' | 'PUT';
  /** Includes the platform's base address. */
  url: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends one call to the platform with a new nonce, signed over the exact bytes of its body. */
export function sendSigned(exchange: HttpExchange, signer: Signer, request: PlatformRequest): Promise<Exchange> {
  const { secret, tenantIntegrationId } = signer;
  const body = request.body === undefined ? null : Buffer.from(JSON.stringify(request.body));
  const nonce = createNonce();
  return exchange.send({
    method: request.method,
    url: new URL(request.url),
    body,
    ownConnection: request.ownConnection ?? false,
    ...(request.isCalledOff ? { isCalledOff: request.isCalledOff } : {}),
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      Accept: 'application/json',
      ...request.headers,
      Authorization: authorize(secret, { tenantIntegrationId, nonce, body: body ?? '' }),
      [NONCE_HEADER]: nonce,
    },
  });
}
