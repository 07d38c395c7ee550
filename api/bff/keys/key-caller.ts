import { findLiveKey, type FoundKey, touchKey } from '#db/bff/api-keys.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { Problem } from '#domain/api/problem.ts';
import { keyActor } from '#domain/keys/actor.ts';
import { type GivenKey, isSameSecret } from '#domain/keys/key-text.ts';
import { type KeyScope, scopesFor, writes } from '#domain/keys/scopes.ts';
import { unauthorized } from '../identity/verified.ts';
import type { SignedIn } from '../identity/signed-in.ts';
import type { Limits } from '../limits/limits.ts';

/** A program that calls with a key. Its role is that of a person who may do no more than its scopes say. */
export type KeyCaller = SignedIn & { via: 'key'; scopes: readonly KeyScope[] };

/** The last moment that a Date can name. */
const NEVER = new Date(8.64e15);

const callerOf = (key: FoundKey): KeyCaller => ({
  tokenHash: key.secretHash,
  via: 'key',
  userId: keyActor(key.keyId),
  name: key.name,
  tenantId: key.platformTenantId,
  roles: [key.scopes.some(writes) ? 'marketing_operator' : 'viewer'],
  integrationStatus: key.integrationStatus,
  externalTenantId: key.externalTenantId,
  expiresAt: key.expiresAt ?? NEVER,
  scopes: key.scopes,
  ...(key.serviceNumberIds && { serviceNumberIds: key.serviceNumberIds }),
});

export interface KeyCallers {
  /** @throws Problem `unauthorized` for a key that is unknown, revoked, expired or of an application that is uninstalled; `rate_limited`. */
  authenticate(given: GivenKey): Promise<KeyCaller>;
  /** Who called with the key before; null if it has ended. */
  still(tokenHash: Buffer): Promise<KeyCaller | null>;
}

const works = (key: FoundKey | null): key is FoundKey => key?.integrationStatus === 'ACTIVE';

/** Null for a key that is unknown, revoked, expired or of an application that is uninstalled. */
export async function findWorkingKey(database: BffDatabase, { keyId, secretHash }: GivenKey): Promise<FoundKey | null> {
  const key = await findLiveKey(database, { keyId });
  return works(key) && isSameSecret(secretHash, key.secretHash) ? key : null;
}

export function createKeyCallers({
  database,
  limits,
}: {
  database: BffDatabase;
  limits: Pick<Limits, 'apiKey'>;
}): KeyCallers {
  return {
    async authenticate(given) {
      const key = await findWorkingKey(database, given);
      if (!key) throw unauthorized();
      await limits.apiKey(given.keyId);
      await touchKey(database, key);
      return callerOf(key);
    },
    async still(tokenHash) {
      const key = await findLiveKey(database, { secretHash: tokenHash });
      return works(key) ? callerOf(key) : null;
    },
  };
}

/** @throws Problem `forbidden` where the key's scopes do not allow the operation, or no key may use it. */
export function requireScope(
  { scopes }: KeyCaller,
  operation: Pick<AnyOperation, 'method' | 'tag' | 'access' | 'onlyPeople' | 'changes'>,
): void {
  const enough = scopesFor(operation);
  if (enough.length === 0) throw new Problem('forbidden', 'Not for API keys');
  if (!enough.some((scope) => scopes.includes(scope)))
    throw new Problem('forbidden', `The key needs the scope ${enough[0]}`);
}
