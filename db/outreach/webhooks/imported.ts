import { rows, type Transaction } from '#db/database.ts';
import type { Author } from '../audit/record.ts';
import type { AudienceRow } from '../models/audiences.ts';

const write = `
  select write_outgoing_event(:tenantId, 'audience ' || :audienceId::text, 'audience.imported', jsonb_build_object(
    'tenantId', :tenantId::text, 'audienceId', :audienceId::text, 'name', :name::text,
    'serviceNumberId', :serviceNumberId::text, 'contacts', :memberCount::int, 'duplicates', :duplicates::int,
    'importedBy', :userId::text), null, null, interval '0')
  where wants_event(:tenantId, 'audience.imported')`;

/** Writes `audience.imported` for those who want it. */
export async function writeImported(
  transaction: Transaction,
  { tenantId, userId }: Author,
  { audience, duplicates }: { audience: AudienceRow; duplicates: number },
): Promise<void> {
  const { audienceId, name, serviceNumberId, memberCount } = audience;
  await rows(transaction, write, { tenantId, userId, audienceId, name, serviceNumberId, memberCount, duplicates });
}
