import { uuidv7 } from 'uuidv7';
import type { CampaignBody, CampaignPatch } from '../../../domain/api/campaign.ts';
import { Problem } from '../../../domain/api/problem.ts';
import type { Database, Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { wantSourceUpdate } from './entry-sources.ts';
import { type CampaignRecord, findCampaign, lockCampaign, presentCampaign } from './campaigns.ts';

/** The part of a campaign that people write. */
export type CampaignContent = Pick<
  CampaignRecord,
  'name' | 'note' | 'serviceNumberId' | 'channels' | 'messages' | 'audience' | 'schedule' | 'endsAt'
>;

export function contentOf(body: CampaignBody): CampaignContent {
  const { name, note, serviceNumberId, channels, messages, audience, schedule, endsAt } = body;
  return {
    name,
    note: note ?? null,
    serviceNumberId,
    channels,
    messages,
    audience,
    schedule,
    endsAt: endsAt ? new Date(endsAt) : null,
  };
}

/** The content after a patch; what is not given stays. */
export function patched(before: CampaignRecord, patch: CampaignPatch): CampaignContent {
  const { endsAt, note, serviceNumberId: _fixed, ...rest } = patch;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const { name, serviceNumberId, channels, messages, audience, schedule } = before;
  return {
    name,
    serviceNumberId,
    channels,
    messages,
    audience,
    schedule,
    ...given,
    note: note === undefined ? before.note : note,
    endsAt: endsAt === undefined ? before.endsAt : endsAt === null ? null : new Date(endsAt),
  };
}

const columns = `name = :name, note = :note, channels = :channels, messages = :messages::jsonb,
  audience = :audience::jsonb, schedule = :schedule::jsonb, ends_at = :endsAt`;

/** Arrays of objects would become PostgreSQL arrays: what is JSON goes as text. */
function bound(content: CampaignContent): Record<string, unknown> {
  return {
    ...content,
    messages: JSON.stringify(content.messages),
    audience: JSON.stringify(content.audience),
    schedule: JSON.stringify(content.schedule),
  };
}

async function reread(transaction: Transaction, tenantId: string, id: string): Promise<CampaignRecord> {
  const row = await findCampaign(transaction, tenantId, id);
  if (!row) throw new Problem('not_found', 'There is no campaign of this id');
  return row;
}

/** Contact lists are long and personal: the audit log keeps how many there are. */
function audited(row: CampaignRecord): unknown {
  const { name, note, channels, messages, audience, schedule, endsAt } = presentCampaign(row);
  const short =
    audience.type === 'contacts' && audience.contactIds
      ? { type: audience.type, contactIds: audience.contactIds.length }
      : audience;
  return { name, note, channels, messages, audience: short, schedule, endsAt };
}

/** `check` runs inside the transaction and refuses what may not be stored. */
export type ContentCheck = (transaction: Transaction, content: CampaignContent) => Promise<void>;

/** Creates a draft; `copyOf` names the campaign that it was duplicated from. */
export function createCampaign(
  database: Database,
  author: Author,
  content: CampaignContent,
  { now, check, copyOf }: { now: Date; check: ContentCheck; copyOf?: string },
): Promise<CampaignRecord> {
  const { tenantId, userId } = author;
  const id = uuidv7();
  return database.transaction(async (transaction) => {
    await check(transaction, content);
    await transaction.raw(
      `insert into campaign (campaign_id, tenant_id, service_number_id, name, note, channels, messages, audience,
         schedule, ends_at, status, created_by, edited_by, created_at, updated_at)
       values (:id, :tenantId, :serviceNumberId, :name, :note, :channels, :messages::jsonb, :audience::jsonb,
         :schedule::jsonb, :endsAt, 'draft', :userId, :userId, :now, :now)`,
      { ...bound(content), id, tenantId, userId, now },
    );
    const row = await reread(transaction, tenantId, id);
    await recordAudit(transaction, author, {
      action: copyOf === undefined ? 'campaign.create' : 'campaign.duplicate',
      objectType: 'campaign',
      objectId: id,
      before: copyOf === undefined ? undefined : { copyOf },
      after: audited(row),
    });
    return row;
  });
}

/** @throws Problem `stale` where somebody changed the campaign after the caller read it. */
export type VersionCheck = (version: number) => void;

/** Whether something changed that entry sources carry (F2). */
export function affectsPlatform(before: CampaignRecord, after: Pick<CampaignRecord, 'name' | 'endsAt'>): boolean {
  const changed = before.name !== after.name || before.endsAt?.getTime() !== after.endsAt?.getTime();
  return changed && before.status !== 'draft' && before.status !== 'closed';
}

/**
 * Changes a campaign. `checkState` runs first (409), then the version is compared (412), then the content (422).
 * @throws Problem of any of them, and `not_found`.
 */
export function updateCampaign(
  database: Database,
  author: Author,
  id: string,
  change: {
    patch: CampaignPatch;
    now: Date;
    checkState: (row: CampaignRecord) => void;
    checkVersion: VersionCheck;
    check: (transaction: Transaction, content: CampaignContent, before: CampaignRecord) => Promise<void>;
  },
): Promise<CampaignRecord> {
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, tenantId, id);
    change.checkState(before);
    change.checkVersion(before.version);
    const content = patched(before, change.patch);
    await change.check(transaction, content, before);
    await transaction.raw(
      `update campaign set ${columns}, edited_by = :userId, version = version + 1, updated_at = :now
       where tenant_id = :tenantId and campaign_id = :id`,
      { ...bound(content), tenantId, id, userId, now: change.now },
    );
    if (affectsPlatform(before, content)) await wantSourceUpdate(transaction, { tenantId, campaignId: id });
    const row = await reread(transaction, tenantId, id);
    await recordAudit(transaction, author, {
      action: 'campaign.update',
      objectType: 'campaign',
      objectId: id,
      before: audited(before),
      after: audited(row),
    });
    return row;
  });
}

/** Deletes a draft; what was sent stays. @throws Problem `not_found`, `invalid_state`, `stale`. */
export function deleteCampaign(
  database: Database,
  author: Author,
  id: string,
  checkVersion: VersionCheck,
): Promise<void> {
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, author.tenantId, id);
    if (before.status !== 'draft') throw new Problem('invalid_state', 'Only a draft can be deleted');
    checkVersion(before.version);
    await transaction.raw('delete from campaign where tenant_id = :tenantId and campaign_id = :id', {
      tenantId: author.tenantId,
      id,
    });
    await recordAudit(transaction, author, {
      action: 'campaign.delete',
      objectType: 'campaign',
      objectId: id,
      before: audited(before),
    });
  });
}
