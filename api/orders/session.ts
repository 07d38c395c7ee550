import type { Context } from 'koa';
import { OrderError } from '#domain/orders/codes.ts';
import type { AnyOrderOperation } from '#domain/orders/operations/describe.ts';
import { bearerToken, InvalidToken, type PlatformIdentity, type VerifyPlatformToken } from '../http/platform-token.ts';
import type { RefusalTrail } from './refusals.ts';

export type Payer = PlatformIdentity;

async function authenticate(ctx: Context, verify: VerifyPlatformToken): Promise<Payer> {
  const token = bearerToken(ctx.get('Authorization'));
  if (token === null) throw new OrderError(90002);
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof InvalidToken) throw new OrderError(90002, { cause: error });
    throw error;
  }
}

/** @throws OrderError 90003 */
function requireAccess({ roles }: Payer, { access }: AnyOrderOperation): void {
  if (access === 'staff' && !roles.includes('order_admin')) throw new OrderError(90003);
}

/**
 * Identifies the caller by the platform token.
 * @throws OrderError 90002; 90003 if the operation is for staff and the session is not.
 */
export function authenticateBy(verify: VerifyPlatformToken, refusals: Pick<RefusalTrail, 'note'>) {
  return async (ctx: Context, operation: AnyOrderOperation): Promise<Payer> => {
    const payer = await authenticate(ctx, verify);
    try {
      requireAccess(payer, operation);
    } catch (error) {
      refusals.note(payer, operation, error);
      throw error;
    }
    return payer;
  };
}
