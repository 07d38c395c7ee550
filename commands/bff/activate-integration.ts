import type { BffDatabase } from '#db/bff/database.ts';
import { activate, type Activation } from '#db/bff/integrations.ts';
import { isUniqueViolation } from '#db/errors.ts';

/** Makes the install effective if it is still the one that was sent to the backend. */
export async function activateIntegration(
  { connection }: BffDatabase,
  install: { id: string; revision: number; externalTenantId: string },
): Promise<Activation> {
  try {
    return await connection.transaction((transaction) => activate(transaction, install));
  } catch (error) {
    if (isUniqueViolation(error)) return 'conflict';
    throw error;
  }
}
