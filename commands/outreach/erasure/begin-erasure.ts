import { uuidv7 } from 'uuidv7';
import { type Database, firstRow, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type Erasure, hashOf, lockKey, opened, unfinished, type Unfinished } from '#db/outreach/erasure/erasures.ts';
import { UNNAMED, withoutMentions } from '#domain/contacts/mentions.ts';
import { newPseudonym } from '#domain/contacts/pseudonym.ts';

/**
 * Notes that a contact is to be erased, and by whom. From the moment it is stored, no event of the contact is taken any
 * more. An erasure of the same contact that is under way is continued.
 */
export function beginErasure(
  database: Database,
  encryption: Encryption,
  author: Author,
  { contactId, reason, now }: { contactId: string; reason: string; now: Date },
): Promise<Erasure> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const idHash = hashOf(await lockKey(transaction, encryption, tenantId), contactId);
    const known = await firstRow<Unfinished>(
      transaction,
      `select ${unfinished} and tenant_id = :tenantId and id_hash = :idHash`,
      { tenantId, idHash },
    );
    if (known) return opened(encryption, known);
    const erasure: Erasure = { erasureId: uuidv7(), tenantId, contactId, pseudonym: newPseudonym() };
    await rows(
      transaction,
      `insert into erased_contact (erasure_id, tenant_id, id_hash, requested_at, contact_encrypted, pseudonym)
       values (:erasureId, :tenantId, :idHash, :now, :sealed, :pseudonym)`,
      { ...erasure, idHash, now, sealed: encryption.encrypt(contactId, erasure.erasureId) },
    );
    await recordAudit(transaction, author, {
      action: 'contact.erase',
      objectType: 'contact',
      objectId: erasure.erasureId,
      after: { reason: withoutMentions(reason, contactId, UNNAMED) },
    });
    return erasure;
  });
}
