import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { APP_SIGNATURE_HEADER, authorize, createNonce, NONCE_HEADER, sign } from '#domain/signature.ts';
import type { Faults } from '#sandbox/faults.ts';

/** The outcome of a call: a response, or none (it may still have taken effect). */
export type Outcome =
  { answered: true; status: number; body: string; retryAfterMs: number } | { answered: false; reason: string };

export interface SignedCall {
  /** The name that faults use for the call: `webhook`, `install`, `update`, `rotate-secret`, `uninstall`. */
  route: string;
  url: string;
  tenantIntegrationId: string;
  secret: string;
  /** Set for lifecycle calls, which also carry the application's signature. */
  appSecret?: string;
  nonce: string;
  body: string;
}

/** The platform's own signed calls to the application. */
export function createOutbound(faults: Faults) {
  const agent = new Agent({ connections: 64, headersTimeout: 30_000, bodyTimeout: 30_000, connectTimeout: 5000 });

  async function transmit(call: SignedCall): Promise<Outcome> {
    const { tenantIntegrationId, nonce, body } = call;
    const parts = { tenantIntegrationId, nonce, body };
    try {
      const response = await request(call.url, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          authorization: authorize(call.secret, parts),
          [NONCE_HEADER.toLowerCase()]: nonce,
          ...(call.appSecret ? { [APP_SIGNATURE_HEADER.toLowerCase()]: sign(call.appSecret, parts) } : {}),
        },
        body,
      });
      const seconds = Number(response.headers['retry-after'] ?? 0);
      return {
        answered: true,
        status: response.statusCode,
        body: await response.body.text(),
        retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
      };
    } catch (error) {
      return { answered: false, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    /** Makes one call, applying the active faults of its route; `reorder` is handled by the delivery queue. */
    async send(call: SignedCall): Promise<Outcome> {
      const { delayMs, fault } = faults.take(call);
      if (delayMs > 0) await pause(delayMs);
      if (fault?.mode === 'reset') return { answered: false, reason: 'sandbox fault: not sent' };
      if (fault?.mode === 'reorder') await pause(fault.delayMs);
      if (fault?.mode === 'status' && !fault.afterEffect) return pretended(fault.status);
      const outcome = await transmit(call);
      if (fault?.mode === 'duplicate') await transmit({ ...call, nonce: createNonce() });
      if (fault?.mode === 'status') return pretended(fault.status);
      return fault?.mode === 'lost-answer'
        ? { answered: false, reason: 'sandbox fault: the response was lost' }
        : outcome;
    },
    stop: () => agent.destroy(),
  };
}

export type Outbound = ReturnType<typeof createOutbound>;

const pretended = (status: number): Outcome => ({
  answered: true,
  status,
  body: 'sandbox fault',
  retryAfterMs: 0,
});
