import { firstRow, rows } from '#db/database.ts';
import { frozenFor } from './campaigns.ts';
import type { PlatformTask } from './platform-tasks.ts';
import type { World } from './state.ts';

/** How many milliseconds it is until the next step, also of an automation, is looked at; -1 if none waits. */
export async function untilNextStep({ database, clock, tenant: { tenantId } }: World): Promise<number> {
  const row = await firstRow<{ at: Date | null }>(
    database,
    `select least(
       (select min(next_look_at) from campaign_step where tenant_id = :tenantId and state = 'waiting'),
       (select min(due_at) from automation_step
         where tenant_id = :tenantId and status = 'waiting' and sub_task_key is null)) as at`,
    { tenantId },
  );
  return row?.at ? row.at.getTime() - clock.now().getTime() : -1;
}

interface StepRow {
  position: number;
  state: string;
  reason: string | null;
  dueAt: Date | null;
  decidedAt: Date | null;
  outcome: 'clicked' | 'not_clicked';
  /** As which the message before it was sent, and the step itself. */
  previousId: string | null;
  stepCampaignId: string | null;
}

const selectSteps = `
  select s.position, s.state, s.reason, s.due_at, s.decided_at, s.step_campaign_id,
    c.steps -> (s.position - 1) -> 'condition' ->> 'outcome' as outcome,
    case when s.position = 1 then s.campaign_id else (
      select p.step_campaign_id from campaign_step p
      where p.campaign_id = s.campaign_id and p.position = s.position - 1) end as previous_id
  from campaign_step s join campaign c using (campaign_id) where s.tenant_id = :tenantId order by s.campaign_id, s.position`;

/** Those whom somebody had seen by then that a message had reached: when the platform says so cannot be told from its times. */
const reachedBy = ({ seenReached }: World, campaignId: string, by: Date): string[] =>
  [...(seenReached.get(campaignId) ?? [])].flatMap(([contactId, at]) => (at <= by.getTime() ? [contactId] : []));

/** Who did what a step asks for by a moment, by the keys of the message before it. */
const clickedBy = ({ clicked }: World, keys: ReadonlySet<string>, by: Date): Set<string> =>
  new Set(clicked.flatMap(({ key, contactId, at }) => (keys.has(key) && at <= by.getTime() ? [contactId] : [])));

async function complaintsAboutStep(
  world: World,
  step: StepRow,
  { keys, sent }: { keys: ReadonlySet<string>; sent: PlatformTask[] },
): Promise<string[]> {
  const { position, outcome, previousId, stepCampaignId, dueAt, decidedAt } = step;
  if (previousId === null || !dueAt || !decidedAt) return [];
  const { tenantId } = world.tenant;
  const got = new Set(stepCampaignId === null ? [] : await frozenFor(world, { tenantId, campaignId: stepCampaignId }));
  const received = new Set(sent.filter(({ key }) => keys.has(key)).flatMap(({ contactIds }) => contactIds));
  const [early, late] = [clickedBy(world, keys, dueAt), clickedBy(world, keys, decidedAt)];
  const isFor = (contactId: string) => (outcome === 'clicked' ? early.has(contactId) : !late.has(contactId));
  const isNotFor = (contactId: string) => (outcome === 'clicked' ? !late.has(contactId) : early.has(contactId));
  const complaints: string[] = [];
  for (const contactId of got) {
    if (!received.has(contactId))
      complaints.push(`${contactId} is in step ${position} and did not receive the one before`);
    if (isNotFor(contactId)) complaints.push(`${contactId} is in step ${position}, which is for ${outcome}`);
  }
  for (const contactId of reachedBy(world, previousId, dueAt))
    if (isFor(contactId) && !got.has(contactId)) complaints.push(`${contactId} was forgotten by step ${position}`);
  return complaints;
}

/** What must not be of the steps: one that nothing was decided about, and contacts that are in the wrong ones, or in none. */
export async function complaintsAboutSteps(
  world: World,
  { campaigns, sent }: { campaigns: Map<string, string>; sent: PlatformTask[] },
): Promise<string[]> {
  const complaints: string[] = [];
  const steps = await rows<StepRow>(world.database, selectSteps, { tenantId: world.tenant.tenantId });
  for (const step of steps) {
    const { position, state, reason, previousId } = step;
    if (state === 'waiting' || state === 'approval') complaints.push(`step ${position} is still ${state}`);
    if (state === 'skipped' && reason !== 'audience_empty' && reason !== 'previous_skipped')
      complaints.push(`step ${position} was skipped: ${reason}`);
    const keys = new Set([...campaigns].flatMap(([key, of]) => (of === previousId ? [key] : [])));
    // Where the clock was set, times of the service say nothing about those of others.
    const wasEvaluated = state === 'sent' || reason === 'audience_empty';
    if (wasEvaluated && world.clock.settings() === 0)
      complaints.push(...(await complaintsAboutStep(world, step, { keys, sent })));
  }
  return complaints;
}
