import type { CampaignStep } from '#domain/api/campaign-steps.ts';
import { decideStep } from '#domain/campaigns/steps/decision.ts';
import type { Database } from '#db/database.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { findOpenStep, type OpenStep } from '#db/outreach/steps/facts.ts';
import { listSteps, type StepRecord } from '#db/outreach/steps/steps.ts';

const iso = (time: Date | null) => time?.toISOString() ?? null;

const undecided: Omit<StepRecord, 'position' | 'state'> = {
  reason: null,
  dueAt: null,
  decidedAt: null,
  pauseReason: null,
  campaignId: null,
  campaignStatus: null,
  audienceCount: null,
  clickedContacts: null,
};

/** Evaluates the rows of steps whose last evaluation is stale. */
function standing(record: StepRecord, open: OpenStep | null, now: Date): StepRecord {
  const step = open?.steps[open.position - 1];
  if (record.state !== 'waiting' || !open || !step) return record;
  const decision = decideStep(step.after, open, now);
  if (decision.kind === 'end') return { ...record, state: 'cancelled', reason: decision.reason, pauseReason: null };
  return record.position === open.position ? { ...record, dueAt: decision.dueAt } : record;
}

/** The current state of all steps of a campaign. */
export async function presentSteps(
  database: Database,
  { tenantId, id, steps }: Pick<CampaignRecord, 'tenantId' | 'id' | 'steps'>,
  now: Date,
): Promise<{ items: CampaignStep[] }> {
  const key = { tenantId, campaignId: id };
  const records = steps === null ? [] : await listSteps(database, key);
  const open = records.some(({ state }) => state === 'waiting')
    ? await findOpenStep(database, key, { lock: false })
    : null;
  return {
    items: (steps ?? []).map(({ after, condition }, index) => {
      const draft: StepRecord = { ...undecided, position: index + 1, state: 'draft' };
      const { dueAt, decidedAt, ...record } = standing(records[index] ?? draft, open, now);
      return { ...record, after, condition, dueAt: iso(dueAt), decidedAt: iso(decidedAt) };
    }),
  };
}
