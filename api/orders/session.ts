import type { Context } from 'koa';
import { OrderError } from '../../domain/orders/codes.ts';
import { bearerToken, InvalidToken, type PlatformIdentity, type VerifyPlatformToken } from '../http/platform-token.ts';

export type Payer = PlatformIdentity;

/**
 * Who calls, by the platform token.
 * @throws OrderRefusal 90002
 */
export async function authenticate(ctx: Context, verify: VerifyPlatformToken): Promise<Payer> {
  const token = bearerToken(ctx.get('Authorization'));
  if (token === null) throw new OrderError(90002);
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof InvalidToken) throw new OrderError(90002, { cause: error });
    throw error;
  }
}

/** @throws OrderRefusal 90003 where the session is not staff's. */
export function requireStaff(payer: Payer): void {
  if (!payer.roles.includes('order_admin')) throw new OrderError(90003);
}
