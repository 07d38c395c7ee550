import type { BackendClient } from '#clients/backend/client.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { backendProblem } from '../backend-problem.ts';
import { type ConsoleUser, type Member, rolesOf, type SignedIn } from './signed-in.ts';

export interface BackendTokens {
  /**
   * The bearer token for a forwarded call; requests one from the backend if none is valid. Throws Problem
   * `forbidden`, `unavailable`.
   */
  tokenFor(user: ConsoleUser, requestId: string): Promise<string>;
  /**
   * Requests a new token, which also writes the user record: at sign-in, and when the backend rejected the old token.
   */
  renew(user: ConsoleUser, requestId: string): Promise<string>;
  /** Writes the user record of somebody who gets no token. Throws as `tokenFor` does. */
  recordSignIn(member: Member & { externalTenantId: string }, requestId: string): Promise<void>;
}

/** A token is not used in its last seconds, since the call it is sent with takes time. */
const MARGIN_MS = 30_000;
const MAXIMUM_KEPT = 10_000;

interface Kept {
  token: Promise<string>;
  goodUntil: number;
}

const signInOf = ({ tenantId, externalTenantId, userId, name }: SignedIn & { externalTenantId: string }) => ({
  platformTenantId: tenantId,
  externalTenantId,
  userId,
  name: name.slice(0, 200),
});

const keyOf = (user: ConsoleUser): string =>
  JSON.stringify([user.tenantId, user.externalTenantId, user.userId, user.role]);

export function createBackendTokens(backend: BackendClient): BackendTokens {
  const kept = new Map<string, Kept>();

  function renew(user: ConsoleUser, requestId: string): Promise<string> {
    const key = keyOf(user);
    // Callers that arrive while the backend is being asked wait for the same response.
    const entry: Kept = { token: Promise.resolve(''), goodUntil: Infinity };
    entry.token = ask(user, requestId, entry).catch((error: unknown) => {
      if (kept.get(key) === entry) kept.delete(key);
      throw backendProblem(error);
    });
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > MAXIMUM_KEPT && oldest !== undefined) kept.delete(oldest);
    return entry.token;
  }

  async function ask(user: ConsoleUser, requestId: string, entry: Kept): Promise<string> {
    const { token, expiresAt } = await backend.call(internalOperations.issueToken, {
      body: {
        ...signInOf(user),
        role: user.role,
        roles: rolesOf(user),
        ...(user.serviceNumberIds && { serviceNumberIds: user.serviceNumberIds }),
      },
      requestId,
    });
    entry.goodUntil = Date.parse(expiresAt) - MARGIN_MS;
    return token;
  }

  return {
    renew,
    async recordSignIn(member, requestId) {
      const body = { ...signInOf(member), roles: member.roles };
      await backend.call(internalOperations.recordSignIn, { body, requestId }).catch((error: unknown) => {
        throw backendProblem(error);
      });
    },
    tokenFor(user, requestId) {
      const found = kept.get(keyOf(user));
      return found && Date.now() < found.goodUntil ? found.token : renew(user, requestId);
    },
  };
}
