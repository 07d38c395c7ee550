import type { Context } from 'koa';
import { parseKey } from '#domain/keys/key-text.ts';
import { OrderError } from '#domain/orders/codes.ts';
import type { AnyOrderOperation } from '#domain/orders/operations/describe.ts';
import { bearerToken, InvalidToken, type PlatformIdentity, type VerifyPlatformToken } from '../http/platform-token.ts';
import type { FindKeyCaller } from './keys.ts';
import type { RefusalTrail } from './refusals.ts';

/** Who calls: a person with a session, or a program with an API key, whose `userId` is `key:<id>`. */
export interface Payer extends Pick<PlatformIdentity, 'userId' | 'name' | 'tenantId' | 'roles'> {
  /** What the key allows; null for a person. */
  scopes: readonly string[] | null;
}

interface Identifying {
  verify: VerifyPlatformToken;
  findKeyCaller: FindKeyCaller;
}

async function authenticate(ctx: Context, { verify, findKeyCaller }: Identifying): Promise<Payer> {
  const token = bearerToken(ctx.get('Authorization'));
  if (token === null) throw new OrderError(90002);
  const key = parseKey(token);
  if (key) {
    const caller = await findKeyCaller(key);
    if (!caller) throw new OrderError(90002);
    return caller;
  }
  try {
    return { ...(await verify(token)), scopes: null };
  } catch (error) {
    if (error instanceof InvalidToken) throw new OrderError(90002, { cause: error });
    throw error;
  }
}

/** @throws OrderError 90003 */
function requireAccess({ roles, scopes }: Payer, { access, scopes: enough = [] }: AnyOrderOperation): void {
  if (scopes === null) {
    if (access === 'staff' && !roles.includes('order_admin')) throw new OrderError(90003);
    return;
  }
  const [narrowest] = enough;
  if (narrowest === undefined) throw new OrderError(90003, { message: 'Not for API keys' });
  if (!enough.some((scope) => scopes.includes(scope)))
    throw new OrderError(90003, { message: `The key needs the scope ${narrowest}` });
}

/**
 * Identifies the caller by the platform token or API key.
 * @throws OrderError 90002; 90003 if the operation is for staff and the session is not, or the key does not allow it.
 */
export function authenticateBy(by: Identifying, refusals: Pick<RefusalTrail, 'note'>) {
  return async (ctx: Context, operation: AnyOrderOperation): Promise<Payer> => {
    const payer = await authenticate(ctx, by);
    try {
      requireAccess(payer, operation);
    } catch (error) {
      refusals.note(payer, operation, error);
      throw error;
    }
    return payer;
  };
}
