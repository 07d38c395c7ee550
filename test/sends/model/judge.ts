import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { complaintsAboutAutomation } from './automations.ts';
import { campaignsOfKeys, frozenFor, sentCampaigns } from './campaigns.ts';
import { complaintsAboutCopies } from './copies.ts';
import { addressees, complaintsAboutContent, complaintsAboutPace } from './features.ts';
import { countClaims } from './claims.ts';
import { complaintsAboutHalts, complaintsAboutRetries } from './halts.ts';
import { readPlaces } from './looks.ts';
import { hasSent, type PlatformTask, seemsSent } from './platform-tasks.ts';
import type { World } from './state.ts';
import { complaintsAboutSteps } from './steps.ts';
import { complaintsAbout, complaintsAboutSources } from './verdict.ts';

/** What was done in a world, to be added up. */
export interface Report {
  sends: number;
  contacts: number;
  tasks: number;
  calls: number;
  clicks: number;
  looks: number;
  jumps: number;
  sentTwice: number;
  /** Events that may have brought somebody into an automation. */
  follows: number;
  /** Campaigns that steps were sent as. */
  steps: number;
  endedAs: string;
}

function timesIn(tasks: PlatformTask[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const contact of tasks.flatMap(({ contactIds }) => contactIds))
    times.set(contact, (times.get(contact) ?? 0) + 1);
  return times;
}

async function recordOf({ database }: World, { tenantId, campaignId }: CampaignKey) {
  const campaign = await findCampaign(database, tenantId, campaignId);
  if (!campaign) throw new Error('no such campaign');
  return campaign;
}

/** What must not be of one campaign, of all that the platform has. */
async function complaintsAboutCampaign(
  world: World,
  key: CampaignKey,
  campaigns: Map<string, string>,
): Promise<string[]> {
  const { platform, clock, send, excused, callsAtUninstall } = world;
  const isIts = (one: { key: string }) => campaigns.get(one.key) === key.campaignId;
  const isOwn = key.campaignId === send.campaignId;
  const [tasks, now] = [platform.tasks.filter(isIts), clock.elsewhere()];
  const sent = tasks.filter((task) => hasSent(task, now));
  const campaign = await recordOf(world, key);
  const { sentTwice, status, pace } = campaign;
  const complaints = complaintsAbout({
    contactIds: isOwn ? await addressees(world) : await frozenFor(world, key),
    places: await readPlaces(world, key),
    received: timesIn(sent),
    seemsReceived: timesIn(tasks.filter((task) => seemsSent(task, now))),
    excused,
    sentTwice,
    status,
    uninstalled: callsAtUninstall !== null,
  });
  if (isOwn) complaints.push(...complaintsAboutHalts(platform.submissions.filter(isIts), world.halts));
  const paces = isOwn ? world.paces : [{ since: 0, pace }];
  complaints.push(...complaintsAboutPace(platform.submissions.filter(isIts), paces));
  complaints.push(...(await complaintsAboutContent(world, campaign, sent)));
  return complaints.map((complaint) => `${campaign.name}: ${complaint}`);
}

/** @throws Error with everything that must not be. */
export async function judge(world: World): Promise<Report> {
  const { platform, clock, send, callsAtUninstall } = world;
  for (const task of platform.tasks)
    if (task.course === 'contradicts') for (const contact of task.contactIds) world.excused.add(contact);
  const campaigns = await campaignsOfKeys(world);
  const all = await sentCampaigns(world);
  const complaints: string[] = [];
  for (const key of all) complaints.push(...(await complaintsAboutCampaign(world, key, campaigns)));
  const sent = platform.tasks.filter((task) => hasSent(task, clock.elsewhere()));
  complaints.push(...complaintsAboutCopies(platform.submissions, world.copied));
  complaints.push(...complaintsAboutRetries(platform.submissions, platform.refusals));
  complaints.push(...(await complaintsAboutSteps(world, { campaigns, sent })));
  complaints.push(...(await complaintsAboutAutomation(world, { campaigns, sent })));
  const campaign = await recordOf(world, send);
  if (callsAtUninstall === null) complaints.push(...complaintsAboutSources(campaign, platform.sources));
  else if (platform.calls() > callsAtUninstall) complaints.push('the platform was called after the uninstall');
  if (callsAtUninstall !== null && (await countClaims(world)) > world.claimsAtUninstall)
    complaints.push('something was claimed after the uninstall');
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  const { status, cancelOutcome } = campaign;
  return {
    sends: campaign.dispatches,
    contacts: (await addressees(world)).length,
    tasks: platform.tasks.length,
    calls: platform.calls(),
    clicks: world.clicked.length,
    looks: world.looks,
    jumps: clock.jumps(),
    sentTwice: campaign.sentTwice,
    follows: world.follows.length,
    steps: all.length - 1,
    endedAs: `${status}${cancelOutcome ? ` (${cancelOutcome})` : ''}`,
  };
}
