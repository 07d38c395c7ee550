import { uuidv7 } from 'uuidv7';
import type { TestSend } from '../../../../domain/api/campaign.ts';
import { TEST_KEY_PREFIX } from '../../../../domain/postback.ts';
import type { CampaignRecord } from '../../../../db/outreach/campaigns.ts';
import { prepareTestSend, recordTestTasks } from '../../../../db/outreach/test-sends.ts';
import { broadcastOf } from '../../../../activities/outreach/broadcast-body.ts';
import type { Actor } from '../../auth.ts';
import { authorOf, type BackendDeps } from '../../deps.ts';

/**
 * Sends the campaign's content to chosen contacts at once, whatever its schedule. Without a source every Postback is a
 * plain click. The call is made once: who gets no answer may look at the phone, and ask again.
 * @throws Problem `invalid_content`, `unavailable`.
 */
export async function sendTest(
  deps: BackendDeps,
  actor: Actor,
  campaign: CampaignRecord,
  given: string[],
): Promise<TestSend> {
  const { db, appId, platform, now } = deps;
  const { tenantId, serviceNumberId, id: campaignId } = campaign;
  const key = `${TEST_KEY_PREFIX}${uuidv7()}`;
  await prepareTestSend(db, authorOf(actor), campaign, { key, contactIds: given, now: now() });
  const contactIds = [...new Set(given)];
  const taskId = await platform.submitBroadcast(tenantId, serviceNumberId, {
    key,
    broadcast: broadcastOf(
      { ...campaign, campaignId, sourceId: null, scheduledAt: null },
      { key, contactIds, appId, now: now() },
    ),
  });
  await recordTestTasks(db, [{ tenantId, key, taskId }], now());
  return { taskId, contactCount: contactIds.length };
}
