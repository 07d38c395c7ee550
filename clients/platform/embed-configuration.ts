import { retryAfterMs } from '#domain/retry-after.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { pauseAskedFor } from './outcome.ts';
import { sendSigned, type Signer } from './signed-request.ts';

export interface EmbedSlotConfiguration {
  slot: string;
  endpointUrl: string;
  /** Names of the values that the host passes to the page as its context. */
  params: { context: string[] };
}

/** The four places inside the platform's client that show the console, under the BFF's address. */
export function embedSlots(publicUrl: string): EmbedSlotConfiguration[] {
  const slot = (name: string, ...context: string[]) => ({
    slot: name,
    endpointUrl: `${publicUrl}/embed/${name}`,
    params: { context: ['tenantId', ...context] },
  });
  return [
    slot('main'),
    slot('sn-campaigns', 'serviceNumberId'),
    slot('contact-touch', 'serviceNumberId', 'contactId'),
    slot('settings'),
  ];
}

/** The platform did not accept the configuration. The message contains no secret. */
export class EmbedRegistrationError extends Error {
  override name = 'EmbedRegistrationError';
  readonly retryAfterMs: number | null;
  /** For how long the platform asked not to be called at all for the integration. */
  readonly pauseMs: number | null;

  constructor(detail: string, more: { retryAfterMs?: number | null; pauseMs?: number | null; cause?: unknown } = {}) {
    super(detail, { cause: more.cause });
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.pauseMs = more.pauseMs ?? null;
  }
}

export type RegisterSlots = (signer: Signer, slots: readonly EmbedSlotConfiguration[]) => Promise<void>;

const shortened = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200);

/**
 * Registers a tenant's slots in one signed call (POST /openapi/v1/embed/configurations).
 * @throws EmbedRegistrationError for anything but a 2xx.
 */
export function createSlotRegistration({
  baseUrl,
  exchange,
}: {
  baseUrl: string;
  exchange: HttpExchange;
}): RegisterSlots {
  const url = `${baseUrl}/openapi/v1/embed/configurations`;
  return async (signer, slots) => {
    const result = await sendSigned(exchange, signer, { method: 'POST', url, body: { slots } });
    if (result.kind === 'failed')
      throw new EmbedRegistrationError(`The platform did not respond (${result.code})`, { cause: result.cause });
    const { status, body, retryAfter } = result.response;
    if (status >= 200 && status < 300) return;
    throw new EmbedRegistrationError(`The platform responded ${status}: ${shortened(body)}`, {
      retryAfterMs: retryAfterMs(retryAfter, Date.now()),
      pauseMs: pauseAskedFor(result, Date.now()),
    });
  };
}
