import { decideAutomation } from '#commands/outreach/automations/decide-automation.ts';
import { type AutomationMove, moveAutomation } from '#commands/outreach/automations/move-automation.ts';
import { resolveSubTask } from '#commands/outreach/sends/resolve-sub-task.ts';
import { rows } from '#db/database.ts';
import { openApproval } from '#db/outreach/sends/approval/requests.ts';
import type { World } from './state.ts';

const move = { appId: 'outreach', lookMs: null };

export async function moveOne(world: World, index: number, action: AutomationMove): Promise<void> {
  const { database, author, clock, automationIds } = world;
  await moveAutomation(database, author, automationIds[index] ?? '', { ...move, action, now: clock.now() });
  const at = clock.elsewhere();
  if (action === 'pause') world.record((oracle) => oracle.pauses(index, at));
  if (action === 'resume') world.record((oracle) => oracle.goesOn(index, at));
  if (action === 'end') world.record((oracle) => oracle.ends(index, at));
}

/** From now on somebody else has to approve what is sent. */
export async function askForApproval(world: World): Promise<void> {
  const { tenantId } = world.tenant;
  await rows(world.database, 'update tenant set sends_need_approval = 1 where tenant_id = :tenantId', { tenantId });
  world.record((oracle) => oracle.asksForApproval());
}

/** A colleague approves what waits for it. */
export async function approveAll(world: World): Promise<void> {
  const { database, author, clock, tenant, automationIds } = world;
  for (const [index, automationId] of automationIds.entries()) {
    const key = { tenantId: tenant.tenantId, campaignId: automationId };
    const request = await database.transaction((transaction) => openApproval(transaction, key));
    if (!request) continue;
    const answer = { ...move, approvalId: request.approvalId, outcome: 'approved', now: clock.now() } as const;
    await decideAutomation(database, { ...author, userId: 'colleague' }, automationId, answer);
    const at = clock.elsewhere();
    world.record((oracle) => oracle.isApproved(index, at));
  }
}

/** Looks at the platform for what became of sub-tasks of which nobody knows it. */
export async function resolveAll(world: World): Promise<void> {
  const { database, author, clock, tenant, platform } = world;
  // Until then the platform may still respond.
  const submittedBefore = new Date(clock.elsewhere() - 10 * 60_000);
  const unknown = await rows<{ key: string; campaignId: string }>(
    database,
    `select key, campaign_id from broadcast_task
     where tenant_id = :tenantId and status = 'unknown' and submitting_since < :submittedBefore order by key`,
    { tenantId: tenant.tenantId, submittedBefore },
  );
  for (const { key, campaignId } of unknown) {
    const now = clock.now();
    const task = platform.tasks.find((one) => one.key === key);
    const outcome = task
      ? ({ outcome: 'sent', taskId: task.taskId, status: 'sending' } as const)
      : ({ outcome: 'not_sent' } as const);
    await resolveSubTask(database, author, { campaignId, key, outcome, submittedBefore, now });
    world.resolved.set(key, now.getTime());
  }
}
