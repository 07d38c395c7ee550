import { uuidv7 } from 'uuidv7';
import type { TestSend } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { TEST_KEY_PREFIX } from '#domain/campaigns/postback.ts';
import { variantsOf } from '#domain/campaigns/variants/variants.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { recordTestFailure, recordTestTasks } from '#db/outreach/sends/test-sends.ts';
import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { prepareTestSend } from '#commands/outreach/sends/prepare-test-send.ts';
import { broadcastOf } from '#activities/outreach/sends/broadcast-body.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps } from '#api/backend/deps.ts';

export interface TestSendRequest {
  contactIds: string[];
  /** Of which variant the messages are, by its name; null for the campaign's own. */
  variant: string | null;
  checkRevision: RevisionCheck;
}

/** @throws Problem `invalid_content` for a name that no variant has. */
function messagesFor(campaign: CampaignRecord, variant: string | null): Message[] {
  if (variant === null) return campaign.messages;
  const named = variantsOf(campaign).find(({ name }) => name === variant);
  if (named) return named.messages;
  const errors = [invalidField('/variant', 'unknown_variant')];
  throw new Problem('invalid_content', 'The campaign has no variant with this name', { errors });
}

/**
 * Sends the campaign's content to chosen contacts at once, whatever its schedule. Without a source, every Postback is
 * a plain click. The call is made only once: a person who gets no response can check the phone and try again.
 * @throws Problem `stale`, `invalid_content`, `unavailable`.
 */
export async function sendTest(
  deps: BackendDeps,
  actor: Actor,
  campaign: CampaignRecord,
  { contactIds: given, variant, checkRevision }: TestSendRequest,
): Promise<TestSend> {
  const { database, appId, platform, now } = deps;
  const { tenantId, serviceNumberId, id: campaignId } = campaign;
  const check = () => {
    checkRevision(campaign.revision);
    messagesFor(campaign, variant);
  };
  const key = `${TEST_KEY_PREFIX}${uuidv7()}`;
  await prepareTestSend(database, authorOf(actor), campaign, { key, variant, contactIds: given, now: now(), check });
  const contactIds = [...new Set(given)];
  const broadcast = broadcastOf(
    { ...campaign, messages: messagesFor(campaign, variant), campaignId, sourceId: null, scheduledAt: null },
    { key, contactIds, appId, now: now() },
  );
  const fail = async (reason: unknown): Promise<never> => {
    await recordTestFailure(database, { tenantId, key, now: now() });
    throw reason;
  };
  const submitted = await platform.submitBroadcast(tenantId, serviceNumberId, { key, broadcast }).catch(fail);
  if (submitted.taskId === null) return await fail(submitted.problem);
  await recordTestTasks(database, [{ tenantId, key, taskId: submitted.taskId }], now());
  return { taskId: submitted.taskId, contactCount: contactIds.length };
}
