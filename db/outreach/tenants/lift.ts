import { COMPARED_TAGS, type TenantComparison, type TenantLift } from '#domain/api/lift.ts';
import { type Arm, liftOf } from '#domain/campaigns/lift/lift.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { Period } from '#domain/period.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';
import { controlGroupOf, inControlGroup } from './control-group.ts';

interface Counts {
  all: number;
  control: number;
}

/** SQL: every contact that was known before the period, with its arm. */
const arms = `(
  select p.service_number_id, p.contact_id, ${inControlGroup('p.contact_id')} as control from contact_profile p
  where p.tenant_id = :tenantId and coalesce(p.entered_at < :from, true)) a`;

const byArm = 'count(*) filter (where not a.control) as "all", count(*) filter (where a.control) as control';

const countContacts = `select ${byArm} from ${arms}`;

const countConversations = `
  select ${byArm} from (
    select distinct coalesce(v.service_number_id, c.service_number_id) as service_number_id, v.contact_id
    from conversation v left join campaign c on c.tenant_id = v.tenant_id and c.campaign_id = v.campaign_id
    where v.tenant_id = :tenantId and v.opened_at >= :from and v.opened_at < :to) v
  join ${arms} using (service_number_id, contact_id)`;

// What clicks and conversations of campaigns gave, or an operator gave to those who clicked, the control group could not get.
const countTags = `
  select t.tag_id, t.name, ${byArm} from tag t join tag_assignment g on g.tag_id = t.tag_id
  join ${arms} on a.service_number_id = t.service_number_id and a.contact_id = g.contact_id
  where t.tenant_id = :tenantId and g.assigned_at >= :from and g.assigned_at < :to
    and not exists (select 1 from conversion_hour h where h.tenant_id = :tenantId and h.tag_id = t.tag_id)
    and not exists (select 1 from audit_log l where l.tenant_id = :tenantId and l.object_type = 'tag'
      and l.object_id = t.tag_id and l.action = 'tag.assign' and l.after ->> 'clickedIn' is not null)
  group by 1, 2 order by count(*) desc, 1 limit :limit`;

const sumRevenue = `
  select e.currency, coalesce(sum(e.amount_minor) filter (where not a.control), 0)::bigint as "all",
    coalesce(sum(e.amount_minor) filter (where a.control), 0)::bigint as control
  from contact_revenue_entry e join ${arms} using (service_number_id, contact_id)
  where e.tenant_id = :tenantId and e.at >= :from and e.at < :to group by 1 order by 1`;

function comparisonOf(measure: TenantComparison['measure'], converted: Counts, sizes: Counts): TenantComparison {
  const armOf = (name: keyof Counts): Arm => ({ contacts: sizes[name], converted: converted[name] });
  const [all, control] = [armOf('all'), armOf('control')];
  return { measure, all, control, ...liftOf(all, control) };
}

async function compare(
  transaction: Transaction,
  bindings: Record<string, unknown>,
): Promise<Pick<TenantLift, 'comparisons' | 'revenue'>> {
  const none: Counts = { all: 0, control: 0 };
  const sizes = (await firstRow<Counts>(transaction, countContacts, bindings)) ?? none;
  const conversed = (await firstRow<Counts>(transaction, countConversations, bindings)) ?? none;
  const tagged = await rows<Counts & { tagId: string; name: string }>(transaction, countTags, {
    ...bindings,
    limit: COMPARED_TAGS,
  });
  const revenue = await rows<Counts & { currency: string }>(transaction, sumRevenue, bindings);
  return {
    comparisons: [
      comparisonOf({ type: 'conversation' }, conversed, sizes),
      ...tagged.map(({ tagId, name, ...counts }) => comparisonOf({ type: 'tag', tagId, name }, counts, sizes)),
    ],
    revenue:
      revenue.length === 0
        ? null
        : revenue.map(({ currency, all, control }) => ({
            currency,
            all: fromMinor(all),
            control: fromMinor(control),
          })),
  };
}

/** What the tenant's control group and all others did within a period, as of one point in time; null without such a group. */
export function readTenantLift(
  database: Database,
  tenantId: string,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<Pick<TenantLift, 'comparisons' | 'revenue'> | null> {
  return database.transaction(
    async (transaction) => {
      const group = await controlGroupOf(transaction, tenantId);
      if (!group) return null;
      // Each set is hashed once: looked up one by one, a million contacts take minutes.
      return await withPlannerMethodsDisabled(transaction, ['nestloop'], () =>
        compare(transaction, { ...group, tenantId, from, to }),
      );
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
