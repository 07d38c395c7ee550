import type { Transaction } from '../../../db/database.ts';
import { type Author, recordAudit } from '../../../db/outreach/audit/record.ts';

export const auditAssigned = (transaction: Transaction, author: Author, tagId: string, contactIds: string[]) =>
  recordAudit(transaction, author, { action: 'tag.assign', objectType: 'tag', objectId: tagId, after: { contactIds } });
