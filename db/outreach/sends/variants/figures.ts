import type { Outcomes, Summary } from '#domain/api/campaign.ts';
import type { Measure } from '#domain/api/variants.ts';
import type { Arm } from '#domain/campaigns/variants/evidence.ts';
import type { ArmState } from '#domain/campaigns/variants/standing.ts';
import { REST_ARM } from '#domain/campaigns/variants/variants.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { nothingSent, wasSent } from '../ledger/conditions.ts';
import { outcomesOf, summaryOf, sumsByStatus } from '../progress.ts';

/** Counts of the contacts of an arm. */
export interface PartFigures {
  arm: number;
  contacts: number;
  outcomes: Outcomes;
  summary: Summary;
}

/** Contacts not drawn because the campaign was cancelled belong to the rest. */
const armOf = (alias: string) => `coalesce(${alias}.arm, ${REST_ARM})`;

const selectParts = `
  select ${armOf('s')} as arm, sum(s.contacts)::int as contacts, ${outcomesOf('0')} as outcomes, ${summaryOf} as summary
  from campaign c cross join lateral (${sumsByStatus('arm,')}) s
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId group by 1`;

const selectClicks = `
  select ${armOf('k')} as arm, count(*)::int as total, count(*) filter (where k.is_first)::int as unique_contacts
  from (select arm, row_number() over (partition by contact_id order by clicked_at, event_id) = 1 as is_first
    from click_attribution where tenant_id = :tenantId and campaign_id = :campaignId) k
  group by 1`;

export interface ArmClicks {
  arm: number;
  total: number;
  uniqueContacts: number;
}

/** The figures of each arm that has contacts in sub-tasks, and of each that was clicked. */
export async function readParts(
  transaction: Transaction,
  key: CampaignKey,
): Promise<{ parts: PartFigures[]; clicks: ArmClicks[] }> {
  const parts = await rows<PartFigures>(transaction, selectParts, { ...key });
  return { parts, clicks: await rows<ArmClicks>(transaction, selectClicks, { ...key }) };
}

/** SQL: when the platform began to send the sub-task `t` of the send `d`. */
const begun = 'coalesce(t.started_at, greatest(t.submitted_at, d.scheduled_at))';

/** SQL: the variants' sub-tasks `t` that count, and their sends `d`; those of the rest are not compared. */
const compared = `broadcast_task t join dispatch d using (dispatch_id)
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null and t.arm < ${REST_ARM}`;

const selectSent = `
  select t.arm, coalesce(sum(t.contact_count) filter (where ${wasSent}), 0)::int as contacts,
    max(${begun}) filter (where ${wasSent}) as since,
    bool_or(t.status in ('pending', 'submitting', 'scheduled')) as waits, bool_or(t.status = 'unknown') as unknown
  from ${compared} group by 1`;

interface SentArm {
  arm: number;
  contacts: number;
  since: Date | null;
  waits: boolean;
  unknown: boolean;
}

function stateOf(arm: SentArm | undefined): ArmState {
  if (!arm) return 'empty';
  if (arm.waits) return 'waits';
  if (arm.contacts > 0) return 'sent';
  return arm.unknown ? 'unknown' : 'refused';
}

// A contact counts by the first click, and one whose sub-task is not known any more as soon as it was made.
const countClicks = (measure: Measure) => `
  select f.arm, count(*)::int as converted from (
    select k.arm, k.contact_id, min(k.clicked_at - coalesce(${begun}, k.clicked_at)) as age
    from click_attribution k
    left join broadcast_task t on t.tenant_id = k.tenant_id and t.task_id = k.task_id and t.campaign_id = k.campaign_id
    left join dispatch d on d.dispatch_id = t.dispatch_id
    where k.tenant_id = :tenantId and k.campaign_id = :campaignId and k.arm < ${REST_ARM}
      ${measure.type === 'eventCode' ? 'and k.biz_event_code = :bizEventCode' : ''}
    group by 1, 2) f
  where f.age <= :age::interval group by 1`;

const countTagged = `
  select a.arm, count(*)::int as converted from tag_assignment g
  join (select t.arm, ${begun} as begun, r.contact_id from ${compared.replace(
    'where',
    `join dispatch_chunk c on c.dispatch_id = t.dispatch_id and c.chunk = t.chunk
    cross join lateral unnest(c.contact_ids) as r (contact_id) where`,
  )} and ${wasSent}) a on a.contact_id = g.contact_id
  where g.tenant_id = :tenantId and g.tag_id = :tagId and g.assigned_at >= a.begun and g.assigned_at - a.begun <= :age::interval
  group by 1`;

function countConverted(
  transaction: Transaction,
  measure: Measure,
  bindings: Record<string, unknown>,
): Promise<{ arm: number; converted: number }[]> {
  if (measure.type !== 'tag') return rows(transaction, countClicks(measure), { ...bindings, ...measure });
  // Each set is hashed once.
  return withPlannerMethodsDisabled(transaction, ['nestloop'], () =>
    rows(transaction, countTagged, { ...bindings, ...measure }),
  );
}

export interface Compared {
  /** By the position of the variant. */
  arms: Arm[];
  states: ArmState[];
  /** When the last sub-task of any variant had begun; null before. */
  since: Date | null;
}

/**
 * What the variants show, for contacts to whom the platform has begun to send. Each has the same time to convert: as much as
 * those have had who were sent to last, so that a variant that was sent earlier is not ahead for that.
 */
export async function readCompared(
  transaction: Transaction,
  key: CampaignKey,
  { variants, measure, now }: { variants: number; measure: Measure; now: Date },
): Promise<Compared> {
  const sent = await rows<SentArm>(transaction, selectSent, { ...key });
  const latest = sent.flatMap(({ since }) => (since === null ? [] : [since.getTime()]));
  const since = sent.some(({ waits }) => waits) || latest.length === 0 ? null : new Date(Math.max(...latest));
  const age = since && `${Math.max(now.getTime() - since.getTime(), 0)} milliseconds`;
  const converted = age === null ? [] : await countConverted(transaction, measure, { ...key, age });
  const arms = Array.from({ length: variants }, (_, arm) => {
    const contacts = sent.find((one) => one.arm === arm)?.contacts ?? 0;
    const found = converted.find((one) => one.arm === arm)?.converted ?? 0;
    return { contacts, converted: Math.min(found, contacts) };
  });
  const states = arms.map((_, arm) => stateOf(sent.find((one) => one.arm === arm)));
  return { arms, states, since };
}

const selectRest = `
  select coalesce(bool_or(t.status = 'pending'), false) as waits,
    coalesce(bool_or(t.status = 'pending' or ${nothingSent}), false) as left
  from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null
    and t.arm = ${REST_ARM} and t.variant is null`;

/** Whoever is in no share. */
export interface Rest {
  /** Somebody waits for a variant to be chosen. */
  waits: boolean;
  /** Somebody waits, or would after a retry. */
  left: boolean;
}

export async function readRest(transaction: Transaction, key: CampaignKey): Promise<Rest> {
  return (await firstRow<Rest>(transaction, selectRest, { ...key })) ?? { waits: false, left: false };
}
