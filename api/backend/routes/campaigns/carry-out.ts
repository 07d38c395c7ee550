import { setTimeout } from 'node:timers/promises';
import { Problem } from '#domain/api/problem.ts';
import { affectsPlatform } from '#commands/outreach/campaigns/changes.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { type EditOutcome, editOutcome } from '#db/outreach/sends/editing/edits.ts';
import type { Updated } from '#commands/outreach/sends/editing/update-campaign.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { drive, driveCampaign } from '../sends/commands.ts';
import { refOf } from './campaign.ts';

/** Callers wait for 60 s. */
const LONGEST_WAIT_MS = 45_000;
const LOOK_EVERY_MS = 100;

/** Null if it is still open after the longest wait. */
async function awaitOutcome({ database }: BackendDeps, tenantId: string, editId: string): Promise<EditOutcome | null> {
  const until = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const outcome = await editOutcome(database, { tenantId, editId });
    if (outcome !== null || performance.now() >= until) return outcome;
    await setTimeout(LOOK_EVERY_MS);
  }
}

const reasons = {
  too_late: 'The platform had already begun; what was cancelled for the change is submitted again as it was',
  dropped: 'The campaign was cancelled or closed before it could be changed',
};

/**
 * Lets the platform know of a stored change, and waits until it is made where tasks are cancelled for it.
 * @returns the campaign after it; as before, with a `pendingEdit`, if that takes longer than callers wait.
 * @throws Problem `invalid_state` if the change came too late.
 */
export async function carryOut(
  deps: BackendDeps,
  before: CampaignRecord,
  { campaign, editId, moved }: Updated,
): Promise<CampaignRecord> {
  const { tenantId, id } = campaign;
  if (campaign.pendingEdit) await drive(deps, id, () => deps.launcher.polling(refOf(campaign), { wake: true }));
  const outcome = editId === null ? 'made' : await awaitOutcome(deps, tenantId, editId);
  const after = editId === null ? campaign : ((await findCampaign(deps.database, tenantId, id)) ?? campaign);
  if (moved || (editId !== null && outcome !== null)) await drive(deps, id, () => driveCampaign(deps, after));
  if (outcome === 'too_late' || outcome === 'dropped') throw new Problem('invalid_state', reasons[outcome]);
  if (outcome === 'made' && affectsPlatform(before, after))
    await drive(deps, id, () => deps.launcher.sourceUpdates(refOf(after), { wake: true }));
  return after;
}
