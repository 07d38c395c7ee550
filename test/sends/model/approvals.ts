import { expect } from 'chai';
import { endSourcesIfCancelled } from '#activities/outreach/entry-sources/end.ts';
import { driveSends } from '#activities/outreach/sends/drive.ts';
import { firstRow, rows } from '#db/database.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { approveSend } from '#commands/outreach/sends/approval/approve-send.ts';
import { rejectSend } from '#commands/outreach/sends/approval/reject-send.ts';
import { withdrawSend } from '#commands/outreach/sends/approval/withdraw-send.ts';
import { type OpenApproval, openApproval } from '#db/outreach/sends/approval/requests.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import type { Problem } from '#domain/api/problem.ts';
import { campaignsOfKeys } from './campaigns.ts';
import type { World } from './state.ts';

/** Fewer than a large send has. */
const MOST_OF_ONE_PERSON = 10;
/** Who may decide about what `u1` asks for. */
const COLLEAGUE = 'u2';

export const decisions = ['approve', 'reject', 'withdraw'] as const;
export type Decision = (typeof decisions)[number];

/** Sends to more contacts need approval from now on. */
export const requireApproval = ({ database, tenant: { tenantId } }: Pick<World, 'database' | 'tenant'>) =>
  rows(database, 'update tenant set sends_need_approval = :most where tenant_id = :tenantId', {
    most: MOST_OF_ONE_PERSON,
    tenantId,
  });

type Deciding = Pick<World, 'database' | 'tenant' | 'author' | 'clock'> & { campaignId: string };

const openRequest = ({ database, tenant: { tenantId }, campaignId }: Deciding): Promise<OpenApproval | null> =>
  database.transaction((transaction) => openApproval(transaction, { tenantId, campaignId }));

/** @throws Problem, as the operation does. */
async function decide(deciding: Deciding, decision: Decision, userId: string): Promise<string> {
  const { database, author, clock, campaignId } = deciding;
  const request = await openRequest(deciding);
  // What somebody has looked at may have been decided about by others.
  const answer = { approvalId: request?.approvalId ?? 'decided about', now: clock.now() };
  const by = { ...author, userId };
  switch (decision) {
    case 'approve':
      return (await approveSend(database, by, campaignId, { ...answer, expectedReachableCount: null })).status;
    case 'reject':
      return (await rejectSend(database, by, campaignId, { ...answer, reason: 'not now' })).status;
    case 'withdraw':
      return (await withdrawSend(database, by, campaignId, answer)).status;
  }
}

/** One person decides about the send, whether or not it waits and whoever asked. @throws Problem, as the operation does. */
export async function decideAbout(world: World, decision: Decision, step: number): Promise<string> {
  const { send, chances } = world;
  const userId = chances.pick([COLLEAGUE, COLLEAGUE, world.author.userId], 'decides', step);
  const status = await decide({ ...world, campaignId: send.campaignId }, decision, userId);
  await afterwards(world, send);
  return `${userId}: ${status}`;
}

async function afterwards({ database, flows }: World, { tenantId, campaignId }: CampaignKey): Promise<void> {
  const campaign = await findCampaign(database, tenantId, campaignId);
  if (!campaign) return;
  const { launcher } = flows;
  await driveSends({ database, launcher }, { tenantId, campaignId });
  await endSourcesIfCancelled({ database, launcher }, { tenantId, campaignId, status: campaign.status });
}

/** Approves what waits: nothing else may make it go on. */
export async function approveAtLast(world: World, key: CampaignKey): Promise<string> {
  const deciding = { ...world, campaignId: key.campaignId };
  if (!(await openRequest(deciding))) return 'nothing waits';
  const status = await decide(deciding, 'approve', COLLEAGUE);
  await afterwards(world, key);
  return status;
}

/**
 * Asks for a send until it is approved: whoever asks may not approve, and what is rejected or withdrawn is asked for again.
 * Each time nothing is stored before.
 */
export async function askUntilApproved(deciding: Deciding & Pick<World, 'chances'>): Promise<void> {
  const { database, author, clock, campaignId, chances } = deciding;
  const request = () => ({ idempotencyKey: null, expectedReachableCount: null, now: clock.now() });
  for (let round = 0; ; round += 1) {
    const { campaign, dispatch } = await sendCampaign(database, author, campaignId, request());
    expect([campaign.status, dispatch], 'a send that waits').to.deep.equal(['draft', null]);
    const again = await refusalOf(sendCampaign(database, author, campaignId, request()));
    const own = await refusalOf(decide(deciding, 'approve', author.userId));
    const others = await refusalOf(decide(deciding, 'withdraw', COLLEAGUE));
    expect([again, own, others]).to.deep.equal(['invalid_state', 'own_request', 'forbidden']);
    expect(
      await firstRow(database, 'select 1 as found from dispatch where campaign_id = :campaignId', { campaignId }),
    ).to.equal(null);
    const decision = round === 2 ? 'approve' : chances.pick(decisions, 'decision about', round);
    await decide(deciding, decision, decision === 'withdraw' ? author.userId : COLLEAGUE);
    if (decision === 'approve') return;
  }
}

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error as Problem).code,
  );

/** Nothing of a send that waits, or was turned down, is at the platform. */
export async function expectApproved(world: World, { tenantId, campaignId }: CampaignKey): Promise<void> {
  const { database, platform } = world;
  const found = await rows<{ outcome: string | null }>(
    database,
    'select outcome from send_approval where tenant_id = :tenantId and campaign_id = :campaignId',
    { tenantId, campaignId },
  );
  const campaigns = await campaignsOfKeys(world);
  const tasks = platform.tasks.filter(({ key }) => campaigns.get(key) === campaignId);
  // Larger than one person may send to, whether or not that was noticed.
  const isLarge = world.needsApproval && campaignId === world.send.campaignId;
  if ((isLarge || found.length > 0) && !found.some(({ outcome }) => outcome === 'approved'))
    expect(tasks, 'tasks of a send that nobody approved').to.deep.equal([]);
}
