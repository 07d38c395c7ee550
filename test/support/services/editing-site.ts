import type { CampaignPatch } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import { type Database, rows } from '#db/database.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { type EditOutcome, editOutcome } from '#db/outreach/sends/editing/edits.ts';
import { type Updated, updateCampaign } from '#commands/outreach/sends/editing/update-campaign.ts';
import { openSends } from '#db/outreach/sends/dispatches.ts';
import type { TestSend } from '../outreach/rows.ts';
import { recordingLauncher } from './outreach-flows.ts';
import { openSendingSite } from './sending-site.ts';

export const HOUR_MS = 3_600_000;

/** The body of a call that submits a sub-task (A1). */
export interface SubmittedBody {
  name: string;
  messages: Message[];
  schedule: { type: string; at?: string };
  audience: { contactIds: string[] };
}

/** The surroundings of campaigns that are scheduled in an hour and changed before that. `skew` moves our clock, in ms. */
export async function openEditingSite(database: Database) {
  const clock = { skew: 0 };
  const launcher = recordingLauncher();
  const site = await openSendingSite(database, { launcher, now: () => new Date(Date.now() + clock.skew) });
  const author = { tenantId: site.tenant.tenantId, userId: 'editor', requestId: 'r-1' };
  const at = new Date(Date.now() + HOUR_MS);

  async function campaignOf({ tenantId, campaignId }: TestSend): Promise<CampaignRecord> {
    const found = await findCampaign(database, tenantId, campaignId);
    if (!found) throw new Error('There is no such campaign');
    return found;
  }

  return {
    ...site,
    asked: launcher.asked,
    author,
    at,
    clock,
    campaignOf,
    poll: (send: TestSend) => site.poll(send, 'scheduled'),
    change: ({ campaignId }: TestSend, patch: CampaignPatch): Promise<Updated> =>
      updateCampaign(database, author, campaignId, {
        patch,
        now: site.deps.now(),
        checkStage: () => undefined,
        checkRevision: () => undefined,
        check: () => Promise.resolve(),
      }),
    outcomeOf: ({ editId }: Updated): Promise<EditOutcome | null> =>
      editOutcome(database, { tenantId: author.tenantId, editId: String(editId) }),
    /** A campaign whose sub-tasks the platform has scheduled. */
    async scheduled(chunks: number[]): Promise<TestSend> {
      const send = await site.seedSend({ chunks, at });
      await site.submit(send);
      return send;
    },
    /** Submits whatever is open. */
    async submitted({ tenantId, campaignId, ...send }: TestSend): Promise<SubmittedBody[]> {
      const before = site.platform.of('A1').length;
      for (const { dispatchId } of await openSends(database, tenantId, campaignId))
        await site.submit({ ...send, tenantId, campaignId, dispatchId });
      return site.platform
        .of('A1')
        .slice(before)
        .map(({ body }) => body as unknown as SubmittedBody);
    },
    /** The platform has begun these sub-tasks. */
    begun(keys: string[]): void {
      const isBegun = (path: string) => keys.some((key) => path.includes(key));
      site.platform.behave(({ route, path }) => {
        if (route === 'A2') return { status: 200, body: { status: isBegun(path) ? 'sending' : 'scheduled' } };
        if (route === 'A3' && isBegun(path)) return { status: 409, body: { code: 'not_scheduled', status: 'sending' } };
        return null;
      });
    },
    /** Whom the sub-tasks that count will reach, in order. */
    async audienceOf({ campaignId }: TestSend): Promise<string[]> {
      const found = await rows<{ contactId: string }>(
        database,
        `select contact_id from broadcast_task t join dispatch_recipient r using (dispatch_id, chunk)
         where t.campaign_id = :campaignId and t.superseded_by is null order by 1`,
        { campaignId },
      );
      return found.map(({ contactId }) => contactId);
    },
    /** The states of the sub-tasks that count, in alphabetical order. */
    async statesOf({ campaignId }: TestSend): Promise<string[]> {
      const found = await rows<{ status: string }>(
        database,
        'select status from broadcast_task where campaign_id = :campaignId and superseded_by is null order by status',
        { campaignId },
      );
      return found.map(({ status }) => status);
    },
  };
}

export type EditingSite = Awaited<ReturnType<typeof openEditingSite>>;
