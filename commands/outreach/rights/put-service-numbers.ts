import { isDeepStrictEqual } from 'node:util';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { findServiceNumbers, knownServiceNumbers, storeServiceNumbers } from '#db/outreach/rights/rights.ts';
import type { Database } from '#db/database.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';

/** @throws Problem `invalid_content` naming each service number that the tenant has never had. */
export async function assertKnownNumbers(
  database: Database,
  tenantId: string,
  serviceNumberIds: readonly string[],
): Promise<void> {
  const known = await knownServiceNumbers(database, tenantId, serviceNumberIds);
  const errors = serviceNumberIds.flatMap((id, index) =>
    known.has(id) ? [] : [invalidField(`/serviceNumberIds/${index}`, 'unknown_service_number')],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'The tenant has no such service numbers', { errors });
}

/**
 * Says which service numbers a person sees, each once and in order; null: all. The audit log has what was before.
 * @throws Problem `invalid_content` naming each service number that the tenant has never had.
 */
export function putServiceNumbers(
  database: Database,
  author: Author,
  userId: string,
  given: readonly string[] | null,
): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    if (given) await assertKnownNumbers(transaction, tenantId, given);
    const serviceNumberIds = given && [...new Set(given)].toSorted();
    const before = await findServiceNumbers(transaction, tenantId, userId);
    if (isDeepStrictEqual(before, serviceNumberIds)) return;
    await storeServiceNumbers(transaction, tenantId, userId, serviceNumberIds);
    await recordAudit(transaction, author, {
      action: 'user.service_numbers',
      objectType: 'user',
      objectId: userId,
      before: { serviceNumberIds: before },
      after: { serviceNumberIds },
    });
  });
}
