import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { Problem } from '../../../domain/api/problem.ts';
import { type CampaignContent, fieldsOf, type StoredFields } from '../../../domain/campaigns/fields.ts';
import type { Database, Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { CampaignRow } from '../models/campaigns.ts';
import { type CampaignRecord, findCampaign, lockCampaign, patchFields } from './campaigns.ts';
import { evaluateStepsSoon } from '../steps/steps.ts';
import { wantSourceUpdate } from './entry-sources.ts';

async function reread(transaction: Transaction, tenantId: string, id: string): Promise<CampaignRecord> {
  const row = await findCampaign(transaction, tenantId, id);
  if (!row) throw new Problem('not_found', 'There is no campaign with this id');
  return row;
}

/** Contact lists are long and personal: the audit log keeps only their length. */
function audited(row: CampaignRecord): unknown {
  const { audience } = row;
  const short =
    audience.type === 'contacts' && audience.contactIds
      ? { type: audience.type, contactIds: audience.contactIds.length }
      : audience;
  return { ...fieldsOf(row), audience: short };
}

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

/** @throws Problem `stale` if someone changed the campaign after the caller read it. */
export type VersionCheck = (version: number) => void;

/** Whether anything changed that entry sources contain (F2). */
export function affectsPlatform(before: CampaignRecord, after: Pick<CampaignRecord, 'name' | 'endsAt'>): boolean {
  const changed = before.name !== after.name || before.endsAt?.getTime() !== after.endsAt?.getTime();
  return changed && before.status !== 'draft' && before.status !== 'closed';
}

/** @throws Problem `invalid_state` while the content awaits approval: it must not change. */
export function assertNotWaiting({ status, approval }: CampaignRecord): void {
  if (status === 'draft' && approval?.outcome === null)
    throw new Problem('invalid_state', 'The send waits for approval: withdraw the request first');
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

/** Deletes a draft; sent campaigns stay. @throws Problem `not_found`, `invalid_state`, `stale`. */
export function deleteCampaign(
  database: Database,
  author: Author,
  id: string,
  checkVersion: VersionCheck,
): Promise<void> {
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, author.tenantId, id);
    if (before.status !== 'draft') throw new Problem('invalid_state', 'Only a draft can be deleted');
    assertNotWaiting(before);
    checkVersion(before.version);
    await CampaignRow.query(transaction).delete().where({ tenantId: author.tenantId, campaignId: id });
    await recordAudit(transaction, author, {
      action: 'campaign.delete',
      objectType: 'campaign',
      objectId: id,
      before: audited(before),
    });
  });
}
