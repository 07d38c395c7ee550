import { uuidv7 } from 'uuidv7';
import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { CopywritingRow } from '#db/outreach/models/campaigns.ts';
import type { CopyBrief } from '#domain/api/ai.ts';

/** Stores a brief to write drafts for; the audit log has that it was asked for, and not what. @returns its id. */
export function addCopywriting(database: Database, author: Author, brief: CopyBrief): Promise<string> {
  const copywritingId = uuidv7();
  const { tenantId, userId: requestedBy } = author;
  return database.transaction(async (transaction) => {
    await CopywritingRow.query(transaction).insert({ copywritingId, tenantId, requestedBy, brief });
    await recordAudit(transaction, author, {
      action: 'copywriting.request',
      objectType: 'copywriting',
      objectId: copywritingId,
      after: { serviceNumberId: brief.serviceNumberId ?? null, drafts: brief.count },
    });
    return copywritingId;
  });
}
