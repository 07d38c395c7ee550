import { OrderError, type OrderErrorCode } from '#domain/orders/codes.ts';
import type { Payer } from './session.ts';

/** For whom an operation of payers is called. */
export interface NamedPayer {
  userId: string;
  name: string;
  /** `key:<id>` of a program that calls for the payer; null for the payer's own session. */
  createdBy: string | null;
}

interface Naming {
  tenantId?: string | null | undefined;
  userId?: string | null | undefined;
  payerName?: string | null | undefined;
}

/**
 * A person calls for nobody else, whatever the body says; a program for the payer of its tenant whom the body names.
 * @throws OrderError 90001 where a program names nobody, `foreign` where the tenant is not its own.
 */
export function namedPayer(
  caller: Payer,
  { tenantId, userId, payerName }: Naming,
  foreign: OrderErrorCode = 90003,
): NamedPayer {
  if (caller.scopes === null) return { userId: caller.userId, name: caller.name, createdBy: null };
  if (!userId)
    throw new OrderError(90001, { errors: [{ path: '/userId', message: 'names the payer: required for an API key' }] });
  if (tenantId !== caller.tenantId) throw new OrderError(foreign);
  return { userId, name: payerName ?? '', createdBy: caller.userId };
}
