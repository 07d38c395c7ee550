import { driveSends } from '#activities/outreach/sends/drive.ts';
import { assertChangeable, checkContent } from '#api/backend/routes/campaigns/content.ts';
import { resolveReported } from '#api/backend/routes/sends/resolving.ts';
import { retryFailedSubTasks } from '#api/backend/routes/sends/retrying.ts';
import { findCampaign, type CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { affectsPlatform } from '#commands/outreach/campaigns/changes.ts';
import { closeCampaign } from '#commands/outreach/sends/close-campaign.ts';
import { updateCampaign } from '#commands/outreach/sends/editing/update-campaign.ts';
import { cancelCampaign } from '#commands/outreach/sends/cancel-campaign.ts';
import { pauseCampaign } from '#commands/outreach/sends/pause-campaign.ts';
import { resumeCampaign } from '#commands/outreach/sends/resume-campaign.ts';
import { listSubTasks, type SubTaskRecord } from '#db/outreach/sends/sub-tasks.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { CampaignPatch } from '#domain/api/campaign.ts';
import { Problem } from '#domain/api/problem.ts';
import { approveAtLast, decideAbout } from './approvals.ts';
import { automationKeys, goOnAtLast, moveIt } from './automations.ts';
import { unlessAway } from './away.ts';
import { sentCampaigns } from './campaigns.ts';
import { adopt, copy } from './copies.ts';
import { choose, chooseAtLast, drawPace } from './features.ts';
import { goOn, halt } from './halts.ts';
import { hasSent, isHidden, isOrWillBeSent, statusOf } from './platform-tasks.ts';
import type { World } from './state.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const actions = { pause: 4, resume: 6, cancel: 4, close: 2, resolve: 14, resolveAll: 6, retry: 14, edit: 6, look: 2 };
const calmActions = { pause: 4, resume: 6, cancel: 2, resolve: 12, resolveAll: 8, retry: 20, edit: 8, look: 2 };
/** What is done beside it by those who run the service. */
const moving = { copy: 1, adopt: 2 };
/** What is done beside it where sends need approval. */
const deciding = { approve: 6, reject: 2, withdraw: 2 };
/** What is done beside it where a campaign has variants, and where it has a pace. */
const choosing = { choose: 4 };
const pacing = { repace: 8 };
/** What is done beside it where the tenant has an automation. */
const moves = { stop: 4, start: 6, end: 1 };
const pauses = [2, 4, 8, 20, 30, 60, 150, 300, 900].map((seconds) => seconds * SECOND);

async function campaignOf(
  { database, send }: World,
  { tenantId, campaignId }: CampaignKey = send,
): Promise<CampaignRecord> {
  const campaign = await findCampaign(database, tenantId, campaignId);
  if (!campaign) throw new Error('no such campaign');
  return campaign;
}

/** As much of a campaign as is needed to say what became of its sub-tasks; an automation's are its own. */
const resolvableOf = async (world: World, { tenantId, campaignId: id }: CampaignKey) =>
  id === world.automationId
    ? { tenantId, serviceNumberId: 'sn-1', id, status: 'sending' as const }
    : await campaignOf(world, { tenantId, campaignId: id });

async function unknownSubTasks({ database }: World, { tenantId, campaignId }: CampaignKey): Promise<SubTaskRecord[]> {
  const page = await listSubTasks(database, tenantId, campaignId, { limit: 200, status: 'unknown' });
  return page.items;
}

/** What an operator says about a sub-task: what is true, or the contrary, if that is to be had. */
async function resolve(
  world: World,
  { of, subTask: { key }, rightly }: { of: CampaignKey; subTask: SubTaskRecord; rightly: boolean },
): Promise<string> {
  const now = world.clock.elsewhere();
  const task = world.platform.tasks.find((one) => one.key === key);
  const reached = task !== undefined && isOrWillBeSent(task);
  const said = reached === rightly ? 'sent' : 'not_sent';
  const taskId = task?.taskId ?? 'task-of-nobody';
  if (task && said === 'sent' && isHidden(task, now)) return 'cannot tell';
  const campaign = await resolvableOf(world, of);
  await resolveReported(world.backend, {
    actor: world.actor,
    campaign,
    key,
    outcome: said === 'sent' ? { outcome: said, taskId } : { outcome: said },
  });
  if (said === 'not_sent' && reached) for (const contact of task.contactIds) world.excused.add(contact);
  return `${said} (${task ? `${statusOf(task, now)}${hasSent(task, now) ? ', sent' : ''}` : 'no task'})`;
}

async function resolveOne(world: World, step: number): Promise<string> {
  const unknown = await unknownSubTasks(world, world.send);
  if (unknown.length === 0) return 'nothing is unknown';
  const subTask = world.chances.pick(unknown, 'which', step);
  const rightly = world.chances.fraction('rightly', step) < 0.6;
  return await resolve(world, { of: world.send, subTask, rightly });
}

async function resolveAll(world: World, of: CampaignKey, rightly: boolean): Promise<string> {
  const said: string[] = [];
  for (const subTask of await unknownSubTasks(world, of))
    said.push(await refusable(() => resolve(world, { of, subTask, rightly })));
  return said.join(', ');
}

/** What a request is refused with is a result, too. */
async function refusable(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Problem ? error.code : unlessAway(error);
  }
}

async function resume(world: World, { tenantId, campaignId }: CampaignKey): Promise<string> {
  const { database, author, clock, flows } = world;
  const campaign = await resumeCampaign(database, author, campaignId, clock.now());
  goOn(world);
  await driveSends({ database, launcher: flows.launcher }, { tenantId, campaignId });
  return campaign.status;
}

function patchAt({ chances, clock }: World, step: number): CampaignPatch {
  const after = (minutes: number) => new Date(clock.now().getTime() + minutes * MINUTE).toISOString();
  const endsIn = chances.pick([null, 1, 10, 60, 600], 'ends in', step);
  switch (chances.draw({ name: 4, endsAt: 3, messages: 3, schedule: 3 }, 'edits', step)) {
    case 'name':
      return { name: `Spring ${step}` };
    case 'endsAt':
      return { endsAt: endsIn === null ? null : after(endsIn) };
    case 'messages':
      return { messages: [{ type: 'text', text: `Spring ${step}` }] };
    default:
      return { schedule: { type: 'scheduled', at: after(chances.pick([1, 3, 10, 60], 'starts in', step)) } };
  }
}

/** The campaign gets another name, another end, or, before it starts, other content or another start. */
const edit = (world: World, step: number): Promise<string> => change(world, patchAt(world, step));

/** The campaign gets another pace, or none. */
async function repace(world: World, step: number): Promise<string> {
  const pace = drawPace(world.chances, world.clock.now(), 'step', step);
  const said = await change(world, { pace });
  world.paces.push({ since: world.clock.elsewhere(), pace });
  return said;
}

async function change(world: World, patch: CampaignPatch): Promise<string> {
  const { database, author, actor, send, clock, flows, backend } = world;
  const { appId } = backend;
  const now = clock.now();
  const before = await campaignOf(world);
  const { campaign: after } = await updateCampaign(database, author, send.campaignId, {
    patch,
    now,
    checkRevision: () => undefined,
    checkStage: (stage) => assertChangeable(stage, patch),
    check: (transaction, content, stored) => checkContent(transaction, content, stored, { ...actor, appId, now }),
  });
  if (after.pendingEdit) await flows.launcher.polling(send, { wake: true });
  else await driveSends({ database, launcher: flows.launcher }, send);
  if (affectsPlatform(before, after)) await flows.launcher.sourceUpdates(send, { wake: true });
  return `${JSON.stringify(patch)}${after.pendingEdit ? ', once its tasks are cancelled' : ''}`;
}

type Action =
  | keyof typeof actions
  | keyof typeof moving
  | keyof typeof deciding
  | keyof typeof choosing
  | keyof typeof pacing
  | keyof typeof moves;

async function act(world: World, action: Action, step: number): Promise<string> {
  const { database, author, send, clock, flows } = world;
  const id = send.campaignId;
  switch (action) {
    case 'pause': {
      const { status } = await pauseCampaign(database, author, id, clock.now());
      halt(world, action);
      return status;
    }
    case 'resume':
      return await resume(world, send);
    case 'cancel': {
      const { status } = await cancelCampaign(database, author, id, clock.now());
      halt(world, action);
      await flows.launcher.polling(send, { wake: true });
      return status;
    }
    case 'close': {
      const { status } = await closeCampaign(database, author, id, clock.now());
      halt(world, action);
      await flows.launcher.closing(send, { wake: true });
      return status;
    }
    case 'resolve':
      return await resolveOne(world, step);
    case 'resolveAll':
      // As somebody would who looks at one of them, and takes the others for the same.
      return await resolveAll(world, send, world.chances.fraction('all rightly', step) < 0.4);
    case 'retry': {
      const { status } = await retryFailedSubTasks(world.backend, world.actor, await campaignOf(world), null);
      goOn(world);
      return status;
    }
    case 'edit':
      return await edit(world, step);
    case 'copy':
      return await copy(world);
    case 'adopt':
      return await adopt(world);
    case 'repace':
      return await repace(world, step);
    case 'choose':
      return await choose(world, step);
    case 'approve':
    case 'reject':
    case 'withdraw':
      return await decideAbout(world, action, step);
    case 'stop':
      return await moveIt(world, 'pause');
    case 'start':
      return await moveIt(world, 'resume');
    case 'end':
      return await moveIt(world, 'end');
    case 'look':
      return 'looked';
  }
}

/** What operators do, at their times; after each step somebody looks at the figures. */
export async function operate(world: World): Promise<void> {
  const { chances, clock, limits } = world;
  const count = Math.min(chances.between(0, 12, 'steps'), limits.steps);
  const usual = chances.fraction('temper') < 0.6 ? calmActions : actions;
  const weights = {
    ...usual,
    ...moving,
    ...(world.needsApproval ? deciding : {}),
    ...(world.hasVariants ? choosing : {}),
    ...(world.automationId === null ? {} : moves),
    ...(world.paces[0]?.pace || chances.fraction('is paced later') < 0.3 ? pacing : {}),
  };
  for (let step = 0; step < count; step += 1) {
    await clock.sleep(chances.pick(pauses, 'pause before', step) + chances.between(0, 999, 'and', step));
    const action = chances.draw<Action>(weights, 'action', step);
    world.note(`${action}: ${await refusable(() => act(world, action, step))}`);
    // The next moment: nothing else is being done then.
    await clock.sleep(1);
    await world.look();
  }
  world.operating = false;
}

/** Nothing stays paused, and whatever is unknown is resolved as it is, if that can be told. */
export async function settle(world: World): Promise<void> {
  world.note(`adopt at last: ${await adopt(world)}`);
  for (const key of await sentCampaigns(world)) {
    world.note(`approve at last: ${await refusable(() => approveAtLast(world, key))}`);
    const { status } = await campaignOf(world, key);
    if (status === 'paused') world.note(`resume at last: ${await resume(world, key)}`);
    if (world.hasVariants) world.note(`choose at last: ${await refusable(() => chooseAtLast(world, key))}`);
  }
  world.note(`automation at last: ${await refusable(() => goOnAtLast(world))}`);
  await world.clock.pass(5 * MINUTE);
  await world.clock.during(async () => {
    for (const key of [...(await sentCampaigns(world)), ...automationKeys(world)])
      world.note(`resolve at last: ${await resolveAll(world, key, true)}`);
  });
  await world.clock.pass(10 * MINUTE);
  await world.look();
}

/** What the platform has forgotten can never be told: operators give up, and say that it was not sent. */
export async function giveUp(world: World): Promise<void> {
  if (world.callsAtUninstall !== null) return;
  for (const of of [...(await sentCampaigns(world)), ...automationKeys(world)])
    for (const { key } of await unknownSubTasks(world, of)) {
      const contacts = world.platform.tasks.find((task) => task.key === key)?.contactIds ?? [];
      for (const contact of contacts) world.excused.add(contact);
      const campaign = await resolvableOf(world, of);
      await resolveReported(world.backend, { actor: world.actor, campaign, key, outcome: { outcome: 'not_sent' } });
      world.note('gives up: not_sent');
    }
}
