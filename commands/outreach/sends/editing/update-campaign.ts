import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { lookEarlier, newestSend, type NewestSend, stageOf } from '#db/outreach/sends/editing/edits.ts';
import { insertEdit, tasksAtPlatform, undecided, unsubmitted, withdraw } from '#db/outreach/sends/editing/update.ts';
import { restartPace } from '#db/outreach/sends/ledger/paced.ts';
import { pollScheduled } from '#db/outreach/sends/ledger/status.ts';
import type { CampaignPatch } from '#domain/api/campaign.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import {
  type CampaignContent,
  type CampaignStage,
  fieldsInTasks,
  patchedFields,
  type StoredFields,
} from '#domain/campaigns/fields.ts';
import { plannedFreeze, plannedStart } from '#domain/campaigns/times.ts';
import { assertNotWaiting, storeFields } from '#commands/outreach/campaigns/changes.ts';
import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { lockCampaign } from '#commands/outreach/campaigns/lock-campaign.ts';
import { assertMayChange } from '../approval/assert-may-change.ts';
import { refreshCampaign } from '../ledger/refresh-campaign.ts';
import { settleEdit } from './settle-edit.ts';

export interface CampaignChange {
  patch: CampaignPatch;
  now: Date;
  checkStage: (stage: CampaignStage) => void;
  checkRevision: RevisionCheck;
  check: (
    transaction: Transaction,
    content: CampaignContent,
    before: CampaignRecord & { stage: CampaignStage },
  ) => Promise<void>;
}

export interface Updated {
  campaign: CampaignRecord;
  /** The change waits for the platform to cancel tasks, unless it could be made at once; null if it need not wait. */
  editId: string | null;
  /** A send that the platform has nothing of starts at another time now, or what it has not got yet follows at another pace. */
  moved: boolean;
}

/** Stores the change until the platform has cancelled what it has, which polling does. */
async function requestEdit(
  transaction: Transaction,
  author: Author,
  campaign: CampaignRecord,
  { patch, now }: Pick<CampaignChange, 'patch' | 'now'>,
): Promise<string> {
  const key = { tenantId: author.tenantId, campaignId: campaign.id };
  if (await firstRow(transaction, undecided, { ...key, now }))
    throw new Problem('invalid_state', 'Sub-tasks of the campaign are unknown or still being prepared');
  const editId = uuidv7();
  const { userId, requestId } = author;
  await rows(transaction, insertEdit, { ...key, editId, userId, requestId, patch: JSON.stringify(patch), now });
  await rows(transaction, withdraw, { ...key, editId });
  await pollScheduled(transaction, key, now);
  await settleEdit(transaction, key, now);
  return editId;
}

/** The platform has nothing of a send whose audience is to be resolved later: only its times are stored with it. */
async function moveSend(
  transaction: Transaction,
  { tenantId, id }: CampaignRecord,
  { dispatchId }: NewestSend,
  { fields, now }: { fields: StoredFields; now: Date },
): Promise<void> {
  const scheduledAt = plannedStart(fields);
  await rows(
    transaction,
    `update dispatch set scheduled_at = :scheduledAt, freeze_at = :freezeAt
     where tenant_id = :tenantId and dispatch_id = :dispatchId`,
    { tenantId, dispatchId, scheduledAt, freezeAt: plannedFreeze(fields) ?? now },
  );
  const key = { tenantId, campaignId: id };
  await lookEarlier(transaction, key, scheduledAt ?? now);
  await refreshCampaign(transaction, key, now);
}

/**
 * Whether a change of the pace concerns tasks that the platform has, of a campaign that it has not begun.
 * @throws Problem `invalid_state` where everything is submitted.
 */
async function repacesTasks(transaction: Transaction, before: CampaignRecord, stage: CampaignStage): Promise<boolean> {
  const key = { tenantId: before.tenantId, campaignId: before.id };
  if (stage === 'scheduled' && (await firstRow(transaction, tasksAtPlatform, key))) return true;
  const isOpen = ['scheduled', 'sending', 'paused'].includes(before.status) && !before.cancelRequested;
  if (!isOpen || !(await firstRow(transaction, unsubmitted, key)))
    throw new Problem('invalid_state', 'Everything is already submitted', {
      errors: [invalidField('/pace', 'fixed_once_sent')],
    });
  return false;
}

function assertResolvable({ schedule }: StoredFields, before: CampaignRecord): void {
  const isLater = (one: StoredFields['schedule']) => one.type === 'scheduled' && one.audience === 'at_start';
  if (isLater(schedule) && !isLater(before.schedule))
    throw new Problem('invalid_content', 'The audience has been resolved', {
      errors: [invalidField('/schedule/audience', 'unchangeable')],
    });
}

/**
 * Changes a campaign. `checkStage` runs first (409), then the version is compared (412), then the content is checked
 * (422). Where tasks at the platform contain what changes, the change is made once all of them are cancelled.
 * @throws Problem for any of them, `not_found`, and `invalid_state` where another change is being made.
 */
export function updateCampaign(
  database: Database,
  author: Author,
  id: string,
  { patch, now, ...change }: CampaignChange,
): Promise<Updated> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lockCampaign(transaction, tenantId, id);
    if (before.pendingEdit) throw new Problem('invalid_state', 'The campaign is being changed');
    assertNotWaiting(before);
    const send = await newestSend(transaction, { tenantId, campaignId: id }, now);
    const stage = stageOf(before, send, now);
    change.checkStage(stage);
    const fields = patchedFields(before, patch);
    const isRepaced = send !== null && !isDeepStrictEqual(fields.pace, before.pace);
    const inTasks = isRepaced && (await repacesTasks(transaction, before, stage));
    change.checkRevision(before.revision);
    await change.check(transaction, { ...fields, serviceNumberId: before.serviceNumberId }, { ...before, stage });
    const isSame = fieldsInTasks.every((name) => isDeepStrictEqual(fields[name], before[name]));
    if (stage === 'scheduled' && send && (!isSame || inTasks)) {
      await assertMayChange(transaction, before);
      if (!send.unresolved) {
        assertResolvable(fields, before);
        const editId = await requestEdit(transaction, author, before, { patch, now });
        return { campaign: await lockCampaign(transaction, tenantId, id), editId, moved: false };
      }
      await moveSend(transaction, before, send, { fields, now });
    }
    if (isRepaced) await restartPace(transaction, { tenantId, campaignId: id }, { pace: fields.pace, now });
    const campaign = await storeFields(transaction, author, before, { fields, now });
    return { campaign, editId: null, moved: isRepaced || (stage === 'scheduled' && send?.unresolved === true) };
  });
}
