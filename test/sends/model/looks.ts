import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readResults } from '#db/outreach/clicks/results.ts';
import { notTakenOver } from '#db/outreach/sends/ledger/conditions.ts';
import { readProgress } from '#db/outreach/sends/progress.ts';
import { listSubTasks } from '#db/outreach/sends/sub-tasks.ts';
import { totalOf } from '#test/support/outreach/outcomes.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { Progress } from '#domain/api/campaign.ts';
import { expectApproved } from './approvals.ts';
import { sentCampaigns } from './campaigns.ts';
import { addressees, expectHeldBackOnce } from './features.ts';
import type { Place } from './verdict.ts';
import type { World } from './state.ts';

type Found = Place & { contactId: string; key: string };

/** Where the contacts count that are in the snapshot; those that are being prepared are not there yet. */
export async function readPlaces({ database }: World, { campaignId }: CampaignKey): Promise<Map<string, Place[]>> {
  const found = await rows<Found>(
    database,
    `select r.contact_id, t.key, t.status, t.error_code, t.sent,
       p.dispatch_id is not null and p.frozen_at is not null as stopped
     from dispatch d join dispatch_recipient r using (dispatch_id)
     join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
     left join dispatch p on ${notTakenOver}
     where d.campaign_id = :campaignId and (t.superseded_by is null or p.dispatch_id is not null)`,
    { campaignId },
  );
  const places = new Map<string, Place[]>();
  for (const { contactId, ...place } of found) places.set(contactId, [...(places.get(contactId) ?? []), place]);
  return places;
}

/** What the pages of the console show, as of now. */
async function readFigures({ database }: World, key: CampaignKey) {
  const { tenantId, campaignId } = key;
  const campaign = await findCampaign(database, tenantId, campaignId);
  const progress = await readProgress(database, key, new Date());
  if (!campaign || !progress) throw new Error('no such campaign');
  const results = await readResults(database, tenantId, campaign);
  const { items } = await listSubTasks(database, tenantId, campaignId, { limit: 200 });
  return { campaign, progress, results, items };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** The audience of the world's own campaign is the one that was drawn. */
async function expectAudience(world: World, { preparing, audienceCount }: Progress): Promise<void> {
  await expectHeldBackOnce(world);
  // How many are held back or left out is expected while the audience is prepared, and known once it is.
  if (!world.isDrawn || preparing.contacts === 0)
    expect(audienceCount, 'the audience').to.equal((await addressees(world)).length);
}

/** Somebody looks at everything that was sent: all figures add up, whatever is going on. */
export async function look(world: World): Promise<void> {
  for (const key of await sentCampaigns(world)) await lookAt(world, key);
  world.looks += 1;
}

function noteReached({ clock, seenReached }: World, { campaignId }: CampaignKey, places: Map<string, Place[]>): void {
  const seen = seenReached.get(campaignId) ?? new Map<string, number>();
  seenReached.set(campaignId, seen);
  for (const [contactId, found] of places)
    if (!seen.has(contactId) && found.some(({ status, sent }) => status === 'completed' && (sent ?? 0) > 0))
      seen.set(contactId, clock.elsewhere());
}

async function lookAt(world: World, key: CampaignKey): Promise<void> {
  const { campaign, progress, results, items } = await readFigures(world, key);
  const states = Object.values(progress.subTasks);
  const all = sum(states.map(({ contacts }) => contacts)) + progress.preparing.contacts;
  expect(all, 'contacts of all statuses').to.equal(progress.audienceCount);
  expect(totalOf(progress.outcomes), 'contacts of all outcomes').to.equal(progress.audienceCount);
  expect(progress.preparing.contacts, 'contacts that are prepared').to.be.at.least(0);
  if (key.campaignId === world.send.campaignId) await expectAudience(world, progress);
  expect(campaign.audienceCount, 'the audience of the campaign').to.equal(progress.audienceCount);
  expect(campaign.status, 'the status of the campaign').to.equal(progress.status);
  expect(campaign.summary, 'the summary of the campaign').to.deep.equal(progress.summary);
  const {
    clicks: _clicks,
    conversations: _conversations,
    tagged: _tagged,
    revenue: _revenue,
    byCase: _byCase,
    ...shown
  } = results ?? {};
  const { pace: _pace, ...counts } = progress;
  expect(shown, 'the progress in the results').to.deep.equal(counts);
  const places = await readPlaces(world, key);
  for (const [contactId, found] of places) expect(found, `places of ${contactId}`).to.have.length(1);
  noteReached(world, key, places);
  for (const [status, { tasks }] of Object.entries(progress.subTasks))
    expect(items.filter((item) => item.status === status).length, `${status} in the list`).to.be.at.least(tasks);
  const clicks = results?.clicks;
  expect(sum((clicks?.byAction ?? []).map((action) => action.clicks)), 'clicks by action').to.equal(clicks?.total);
  expect(sum((clicks?.series ?? []).map((hour) => hour.clicks)), 'clicks by hour').to.equal(clicks?.total);
  await expectApproved(world, key);
}
