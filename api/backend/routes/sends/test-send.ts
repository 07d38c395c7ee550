import { uuidv7 } from 'uuidv7';
import type { TestSend } from '#domain/api/campaign.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { TEST_KEY_PREFIX } from '#domain/campaigns/postback.ts';
import { messagesOf, variantsOf } from '#domain/campaigns/variants/variants.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { recordTestFailure, recordTestTasks } from '#db/outreach/sends/test-sends.ts';
import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { prepareTestSend, type TestSendPart } from '#commands/outreach/sends/prepare-test-send.ts';
import { broadcastOf } from '#activities/outreach/sends/broadcast-body.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps } from '#api/backend/deps.ts';

export interface TestSendRequest {
  contactIds: string[];
  /** Of which variant the messages are, by its name; null for the campaign's own. */
  variant: string | null;
  checkRevision: RevisionCheck;
}

/** The position of a variant; null: the campaign's own messages. @throws Problem `invalid_content` for a name that no variant has. */
function positionOf(campaign: CampaignRecord, variant: string | null): number | null {
  if (variant === null) return null;
  const position = variantsOf(campaign).findIndex(({ name }) => name === variant);
  if (position !== -1) return position;
  const errors = [invalidField('/variant', 'unknown_variant')];
  throw new Problem('invalid_content', 'The campaign has no variant with this name', { errors });
}

/** Makes the call for contacts of one case. @returns its task. @throws Problem `unavailable`, `invalid_content`. */
async function sendPart(
  { database, appId, platform, now }: BackendDeps,
  campaign: CampaignRecord,
  { key, messageCase, contactIds, variant }: TestSendPart & { variant: number | null },
): Promise<string> {
  const { tenantId, serviceNumberId, id: campaignId } = campaign;
  const messages = messagesOf(campaign, variant, messageCase);
  const broadcast = broadcastOf(
    { ...campaign, messages, campaignId, sourceId: null, scheduledAt: null },
    { key, contactIds, appId, now: now() },
  );
  const submitted = await platform.submitBroadcast(tenantId, serviceNumberId, { key, broadcast });
  if (submitted.taskId === null) throw submitted.problem;
  await recordTestTasks(database, [{ tenantId, key, taskId: submitted.taskId }], now());
  return submitted.taskId;
}

/**
 * Sends the campaign's content to chosen contacts at once, whatever its schedule; to those of each case in a call of its own.
 * Without a source, every Postback is a plain click. A call is made only once: a person who gets no response can check the phone
 * and try again.
 * @throws Problem `stale`, `invalid_content`, `unavailable`.
 */
export async function sendTest(
  deps: BackendDeps,
  actor: Actor,
  campaign: CampaignRecord,
  { contactIds, variant, checkRevision }: TestSendRequest,
): Promise<TestSend> {
  const { database, now } = deps;
  const { tenantId } = campaign;
  const check = () => {
    checkRevision(campaign.revision);
    positionOf(campaign, variant);
  };
  const keyOf = () => `${TEST_KEY_PREFIX}${uuidv7()}`;
  const call = { keyOf, variant, contactIds, now: now(), check };
  const parts = await prepareTestSend(database, authorOf(actor), campaign, call);
  const taskIds: string[] = [];
  for (const part of parts) {
    try {
      taskIds.push(await sendPart(deps, campaign, { ...part, variant: positionOf(campaign, variant) }));
    } catch (error) {
      for (const { key } of parts.slice(taskIds.length))
        await recordTestFailure(database, { tenantId, key, now: now() });
      throw error;
    }
  }
  const contactCount = new Set(contactIds).size;
  return { taskId: taskIds[0] ?? '', ...(taskIds.length > 1 && { taskIds }), contactCount };
}
