import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { lookEarlier, newestSend } from '#db/outreach/sends/editing/edits.ts';
import { insertEdit, withdraw } from '#db/outreach/sends/editing/update.ts';
import { readSendFacts } from '#db/outreach/sends/facts.ts';
import { restartPace } from '#db/outreach/sends/ledger/paced.ts';
import { pollScheduled } from '#db/outreach/sends/ledger/status.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { CampaignPatch } from '#domain/api/campaign.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import {
  approvedFields,
  type CampaignContent,
  type CampaignStage,
  type FieldName,
  fieldsInTasks,
  patchedFields,
  type StoredFields,
} from '#domain/campaigns/fields.ts';
import { plannedFreeze, plannedStart } from '#domain/campaigns/times.ts';
import { assertPossible, stageOf } from '#domain/sends/actions.ts';
import { storeFields } from '#commands/outreach/campaigns/changes.ts';
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
  key: CampaignKey,
  { fields, now }: { fields: StoredFields; now: Date },
): Promise<void> {
  const scheduledAt = plannedStart(fields);
  const send = await newestSend(transaction, key, now);
  await rows(
    transaction,
    `update dispatch set scheduled_at = :scheduledAt, freeze_at = :freezeAt
     where tenant_id = :tenantId and dispatch_id = :dispatchId`,
    {
      tenantId: key.tenantId,
      dispatchId: send?.dispatchId ?? null,
      scheduledAt,
      freezeAt: plannedFreeze(fields) ?? now,
    },
  );
  await lookEarlier(transaction, key, scheduledAt ?? now);
  await refreshCampaign(transaction, key, now);
}

/** Whom messages by case skip, as far as it depends on what is written. */
const skippedBy = ({ messagesBy }: Pick<StoredFields, 'messagesBy'>) =>
  messagesBy?.otherwise === 'skip' ? [messagesBy.field, messagesBy.cases.map(({ values }) => values)] : null;

/** Whoever is in no case is in no sub-task: who that is cannot change any more. */
function assertSameSkipped(fields: StoredFields, before: CampaignRecord): void {
  if (!isDeepStrictEqual(skippedBy(fields), skippedBy(before)))
    throw new Problem('invalid_content', 'The audience has been resolved', {
      errors: [invalidField('/messagesBy', 'unchangeable')],
    });
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
    const key = { tenantId, campaignId: id };
    const facts = await readSendFacts(transaction, before, now);
    assertPossible('end', facts);
    const stage = stageOf(facts);
    change.checkStage(stage);
    const fields = patchedFields(before, patch);
    const isRepaced = stage !== 'draft' && !isDeepStrictEqual(fields.pace, before.pace);
    if (isRepaced) assertPossible('pace', facts);
    const isUnchanged = (names: FieldName[]) => names.every((name) => isDeepStrictEqual(fields[name], before[name]));
    const inTasks = !isUnchanged(fieldsInTasks) || (isRepaced && facts.contacts.atPlatform > 0);
    const isResent = stage === 'scheduled' && inTasks;
    if (isResent && !isUnchanged(approvedFields)) await assertMayChange(transaction, before);
    if (isResent && !facts.unresolved) assertPossible('content', facts);
    change.checkRevision(before.revision);
    await change.check(transaction, { ...fields, serviceNumberId: before.serviceNumberId }, { ...before, stage });
    if (isResent) {
      if (!facts.unresolved) {
        assertResolvable(fields, before);
        assertSameSkipped(fields, before);
        const editId = await requestEdit(transaction, author, before, { patch, now });
        return { campaign: await lockCampaign(transaction, tenantId, id), editId, moved: false };
      }
      await moveSend(transaction, key, { fields, now });
    }
    if (isRepaced) await restartPace(transaction, key, { pace: fields.pace, now });
    const campaign = await storeFields(transaction, author, before, { fields, now });
    return { campaign, editId: null, moved: isRepaced || (stage === 'scheduled' && facts.unresolved) };
  });
}
