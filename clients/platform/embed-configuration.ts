import { Agent, request } from 'undici';
import { authorize, createNonce, NONCE_HEADER } from '../../domain/signature.ts';
import { retryAfterMs } from '../../domain/retry-after.ts';

export interface EmbedSlotConfiguration {
  slot: string;
  endpointUrl: string;
  /** Names of what the host gives the page as its context. */
  params: { context: string[] };
}

/** The four places inside the platform's client where the console shows itself, under the BFF's address. */
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

/** The platform did not take the configuration; the message holds no secret. */
export class EmbedRegistrationError extends Error {
  override name = 'EmbedRegistrationError';
  readonly retryAfterMs: number | null;

  constructor(detail: string, more: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(detail, { cause: more.cause });
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

export type RegisterSlots = (
  signer: { tenantIntegrationId: string; secret: string },
  slots: readonly EmbedSlotConfiguration[],
) => Promise<void>;

const shortened = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200);

/**
 * Registers a tenant's slots in one signed call (POST /openapi/v1/embed/configurations).
 * @throws EmbedRegistrationError for anything but a 2xx.
 */
export function createSlotRegistration(platformBaseUrl: string): { register: RegisterSlots; close(): Promise<void> } {
  const dispatcher = new Agent({ connections: 8, connect: { timeout: 5000 } });
  async function register(
    { tenantIntegrationId, secret }: { tenantIntegrationId: string; secret: string },
    slots: readonly EmbedSlotConfiguration[],
  ): Promise<void> {
    const body = JSON.stringify({ slots });
    const nonce = createNonce();
    const ask = async () => {
      const response = await request(`${platformBaseUrl}/openapi/v1/embed/configurations`, {
        dispatcher,
        method: 'POST',
        headers: {
          authorization: authorize(secret, { tenantIntegrationId, nonce, body }),
          [NONCE_HEADER]: nonce,
          'content-type': 'application/json',
          'accept-encoding': 'identity',
        },
        body,
        signal: AbortSignal.timeout(15_000),
      });
      return { response, text: await response.body.text() };
    };
    const { response, text } = await ask().catch((error: unknown) => {
      const code = String((error as { code?: unknown } | null)?.code ?? (error as Error | null)?.name);
      throw new EmbedRegistrationError(`The platform did not answer (${code})`, { cause: error });
    });
    if (response.statusCode >= 200 && response.statusCode < 300) return;
    const header = [response.headers['retry-after']].flat().at(-1);
    throw new EmbedRegistrationError(`The platform answered ${response.statusCode}: ${shortened(text)}`, {
      retryAfterMs: retryAfterMs(header, Date.now()),
    });
  }
  return { register, close: () => dispatcher.close() };
}
