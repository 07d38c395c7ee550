import { setTimeout } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { TestSend } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { TEST_KEY_PREFIX } from '#domain/campaigns/postback.ts';
import { variantsOf } from '#domain/campaigns/variants/variants.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import {
  type EarlierTestSend,
  findTestSend,
  recordTestFailure,
  recordTestTasks,
} from '#db/outreach/sends/test-sends.ts';
import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { prepareTestSend } from '#commands/outreach/sends/prepare-test-send.ts';
import { broadcastOf } from '#activities/outreach/sends/broadcast-body.ts';
import { SUBMISSION_STALE_MS } from '#activities/outreach/deps.ts';
import { NothingSent } from '#clients/platform/gateway.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps } from '#api/backend/deps.ts';

const LOOK_AGAIN_MS = 100;

export interface TestSendRequest {
  contactIds: string[];
  /** Of which variant the messages are, by its name; null for the campaign's own. */
  variant: string | null;
  idempotencyKey: string | null;
  checkRevision: RevisionCheck;
}

/** Waits for the call in progress with the same key, and responds as it does. */
async function responseOf(
  { database, now }: BackendDeps,
  campaignId: string,
  idempotencyKey: string | null,
  first: EarlierTestSend,
): Promise<TestSend> {
  let earlier: EarlierTestSend | null = first;
  for (;;) {
    if (earlier === null) throw new Problem('unavailable', 'The platform did not accept it', { retryAfterSeconds: 5 });
    const { taskId, contactCount, startedAt, endedAt } = earlier;
    if (taskId !== null) return { taskId, contactCount };
    if (endedAt !== null || now().getTime() - startedAt.getTime() > SUBMISSION_STALE_MS)
      throw new Problem(
        'conflict',
        'The response to this test was lost: check whether the message arrived, or send it with another key',
      );
    await setTimeout(LOOK_AGAIN_MS);
    earlier = await findTestSend(database, campaignId, idempotencyKey);
  }
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
 * @throws Problem `stale`, `invalid_content`, `unavailable`, and `conflict` if the response to the same request was lost.
 */
export async function sendTest(
  deps: BackendDeps,
  actor: Actor,
  campaign: CampaignRecord,
  { contactIds: given, variant, idempotencyKey, checkRevision }: TestSendRequest,
): Promise<TestSend> {
  const { database, appId, platform, now } = deps;
  const { tenantId, serviceNumberId, id: campaignId } = campaign;
  const check = () => {
    checkRevision(campaign.revision);
    messagesFor(campaign, variant);
  };
  const key = `${TEST_KEY_PREFIX}${uuidv7()}`;
  const call = { key, idempotencyKey, variant, contactIds: given, now: now(), check };
  const earlier = await prepareTestSend(database, authorOf(actor), campaign, call);
  if (earlier) return await responseOf(deps, campaignId, idempotencyKey, earlier);
  const contactIds = [...new Set(given)];
  const broadcast = broadcastOf(
    { ...campaign, messages: messagesFor(campaign, variant), campaignId, sourceId: null, scheduledAt: null },
    { key, contactIds, appId, now: now() },
  );
  const fail = async (nothingSent: boolean, reason: unknown): Promise<never> => {
    await recordTestFailure(database, { tenantId, key, nothingSent, now: now() });
    throw reason;
  };
  const submitted = await platform
    .submitBroadcast(tenantId, serviceNumberId, { key, broadcast })
    .catch((error: unknown) => fail(error instanceof NothingSent, error));
  if (submitted.taskId === null) return await fail(submitted.nothingSent, submitted.problem);
  await recordTestTasks(database, [{ tenantId, key, taskId: submitted.taskId }], now());
  return { taskId: submitted.taskId, contactCount: contactIds.length };
}
