import { uuidv7 } from 'uuidv7';
import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import type { CampaignContent } from '#domain/campaigns/fields.ts';
import { audited, reread } from './changes.ts';

/** `check` runs inside the transaction and rejects what must not be stored. */
export type ContentCheck = (transaction: Transaction, content: CampaignContent) => Promise<void>;

/** Creates a draft; `copyOf` is the campaign that it was duplicated from, `template` what it was made from. */
export function createCampaign(
  database: Database,
  author: Author,
  content: CampaignContent,
  {
    now,
    check,
    copyOf,
    template,
  }: { now: Date; check: ContentCheck; copyOf?: string; template?: { templateId: string; version: number } },
): Promise<CampaignRecord> {
  const { tenantId, userId } = author;
  const id = uuidv7();
  return database.transaction(async (transaction) => {
    await check(transaction, content);
    await CampaignRow.query(transaction).insert({
      ...content,
      ...(template && { templateId: template.templateId, templateVersion: template.version }),
      campaignId: id,
      tenantId,
      status: 'draft',
      createdBy: userId,
      editedBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    const row = await reread(transaction, tenantId, id);
    await recordAudit(transaction, author, {
      action: copyOf === undefined ? 'campaign.create' : 'campaign.duplicate',
      objectType: 'campaign',
      objectId: id,
      before: copyOf === undefined ? template : { copyOf },
      after: audited(row),
    });
    return row;
  });
}
