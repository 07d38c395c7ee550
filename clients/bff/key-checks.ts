import { z } from 'zod';
import { keyCheckOperations } from '#domain/api/key-check.ts';
import type { ResponseOf } from '#domain/api/operation.ts';
import type { GivenKey } from '#domain/keys/key-text.ts';
import { createHttpExchange } from '../http/exchange.ts';

/** A caller waits for it, and says so again if it takes longer. */
const CALL_TIMEOUT_MS = 2500;
const CONNECTIONS = 8;

const { checkApiKey } = keyCheckOperations;

/** What a key may do. */
export type CheckedKey = NonNullable<ResponseOf<typeof checkApiKey>['key']>;

export interface KeyChecks {
  /** @returns null for a key that does not work (any more). @throws Error if the BFF does not say. */
  check(given: GivenKey): Promise<CheckedKey | null>;
  destroy(): Promise<void>;
}

export interface KeyChecksOptions {
  baseUrl: string;
  /** Shared by the services. */
  secret: string;
  /** Certificates (PEM) to trust instead of the machine's authorities. */
  authorities?: Buffer | undefined;
}

/** Calls of the order service to the BFF. */
export function createKeyChecks({ baseUrl, secret, authorities }: KeyChecksOptions): KeyChecks {
  const exchange = createHttpExchange({ timeoutMs: CALL_TIMEOUT_MS, connections: CONNECTIONS, authorities });
  const { response: schema = z.never() } = checkApiKey;
  return {
    async check({ keyId, secretHash }) {
      const result = await exchange.send({
        method: 'POST',
        url: new URL(`${baseUrl}/internal/v1${checkApiKey.path}`),
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ keyId, secretHash: secretHash.toString('hex') }),
      });
      if (result.kind === 'failed') throw new Error(`The BFF did not respond (${result.code})`, result);
      const { status, body } = result.response;
      if (status !== 200) throw new Error(`The BFF responded ${status}`);
      return schema.parse(JSON.parse(body)).key;
    },
    destroy: () => exchange.destroy(),
  };
}
