import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign, patchFields } from '#db/outreach/campaigns/campaigns.ts';
import { wantSourceUpdate } from '#db/outreach/campaigns/entry-sources.ts';
import { evaluateStepsSoon } from '#db/outreach/steps/steps.ts';
import { Problem } from '#domain/api/problem.ts';
import { fieldsOf, type StoredFields } from '#domain/campaigns/fields.ts';

export async function reread(transaction: Transaction, tenantId: string, id: string): Promise<CampaignRecord> {
  const row = await findCampaign(transaction, tenantId, id);
  if (!row) throw new Problem('not_found', 'There is no campaign with this id');
  return row;
}

/** Contact lists are long and personal: the audit log keeps only their length. */
export function audited(row: CampaignRecord): unknown {
  const { audience } = row;
  const short =
    audience.type === 'contacts' && audience.contactIds
      ? { type: audience.type, contactIds: audience.contactIds.length }
      : audience;
  return { ...fieldsOf(row), audience: short };
}

/** Whether anything changed that entry sources contain (F2). */
export function affectsPlatform(before: CampaignRecord, after: Pick<CampaignRecord, 'name' | 'endsAt'>): boolean {
  const changed = before.name !== after.name || before.endsAt?.getTime() !== after.endsAt?.getTime();
  return changed && before.status !== 'draft' && before.status !== 'closed';
}

/** Stores new fields of a campaign whose lock the caller holds. */
export async function storeFields(
  transaction: Transaction,
  author: Author,
  before: CampaignRecord,
  { fields, now }: { fields: StoredFields; now: Date },
): Promise<CampaignRecord> {
  const { tenantId, userId } = author;
  const { id } = before;
  await patchFields(transaction, { tenantId, campaignId: id }, { ...fields, editedBy: userId, updatedAt: now });
  if (affectsPlatform(before, fields)) await wantSourceUpdate(transaction, { tenantId, campaignId: id });
  // One that starts earlier is followed earlier.
  if (!isDeepStrictEqual(before.schedule, fields.schedule)) await evaluateStepsSoon(transaction, id, now);
  const row = await reread(transaction, tenantId, id);
  await recordAudit(transaction, author, {
    action: 'campaign.update',
    objectType: 'campaign',
    objectId: id,
    before: audited(before),
    after: audited(row),
  });
  return row;
}
