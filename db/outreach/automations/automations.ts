import { z } from 'zod';
import type { Automation, AutomationStepCondition } from '#domain/api/automations.ts';
import type { AutomationStatus } from '#domain/automations/statuses.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { MessageChoice } from '#domain/campaigns/cases/cases.ts';
import type { StoredVariants } from '#domain/campaigns/variants/variants.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { containing } from '#db/text-search.ts';
import { approvalColumn } from '../campaigns/campaigns.ts';

export interface AutomationKey {
  tenantId: string;
  automationId: string;
}

/** When a step is due, and what the one before must have led to. */
export interface StepTiming {
  delay: { minutes: number } | null;
  if: AutomationStepCondition | null;
}

/** An automation as its rows store it. */
export interface AutomationRecord
  extends
    MessageChoice,
    Omit<Automation, 'etag' | 'steps' | 'delay' | 'endsAt' | 'activatedAt' | 'createdAt' | 'updatedAt'> {
  tenantId: string;
  revision: number;
  delayMinutes: number;
  timing: StepTiming[];
  /** The messages of the further steps; those of the first are its own. */
  variants: StoredVariants | null;
  endsAt: Date | null;
  activatedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** SQL: the status of an automation, of its campaign `c`. */
export const automationStatus = `case c.status when 'draft' then 'draft' when 'sending' then 'active'
  when 'paused' then 'paused' else 'ended' end`;

const columns = `
  select a.automation_id, a.tenant_id, a.revision, c.service_number_id, c.name, a.trigger, a.filter, a.delay_minutes,
    a.steps as timing, c.messages, c.messages_by, c.variants, a.entry, a.quiet_hours, a.max_per_day, a.exit_on, c.ends_at,
    c.holdout_percent, c.utm, c.channels, c.revenue_window_days, ${automationStatus} as status,
    case when c.status = 'paused' then case when a.restored then 'restored' else c.pause_reason end end as pause_reason,
    case when c.ended_by_uninstall then 'uninstalled' else a.end_reason end as end_reason, a.activated_at, a.started_by,
    c.created_by, c.created_at, a.updated_at, ${approvalColumn} as approval,
    (select json_build_object('entered', coalesce(sum(n), 0), 'waiting', coalesce(sum(n) filter (where status = 'waiting'), 0),
        'sent', coalesce(sum(n) filter (where status = 'sent'), 0),
        'skipped', coalesce(sum(n) filter (where status = 'skipped'), 0),
        'unknown', coalesce(sum(n) filter (where status = 'unknown'), 0))
      from (select status, count(*) as n from automation_entry e where e.automation_id = a.automation_id group by 1
        union all select status, entries from automation_sum s where s.automation_id = a.automation_id) n)
      as counts
  from automation a join campaign c on c.campaign_id = a.automation_id`;

/** Null if the tenant has no such automation. */
export function findAutomation(
  database: Database,
  { tenantId, automationId }: AutomationKey,
): Promise<AutomationRecord | null> {
  return firstRow<AutomationRecord>(
    database,
    `${columns} where a.tenant_id = :tenantId and a.automation_id = :automationId`,
    { tenantId, automationId },
  );
}

interface AutomationFilter {
  limit: number;
  cursor?: string | undefined;
  serviceNumberId?: string | undefined;
  status?: AutomationStatus | undefined;
  /** Part of the name, case-insensitive. */
  q?: string | undefined;
}

/** Newest first. */
export async function listAutomations(
  database: Database,
  tenantId: string,
  filter: AutomationFilter,
): Promise<Page<AutomationRecord>> {
  const { limit, cursor, serviceNumberId = null, status = null, q = '' } = filter;
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0] ?? null;
  const found = await rows<AutomationRecord>(
    database,
    `${columns} where a.tenant_id = :tenantId
       ${serviceNumberId === null ? '' : 'and c.service_number_id = :serviceNumberId'}
       ${status === null ? '' : `and ${automationStatus} = :status`}
       ${q.trim() === '' ? '' : 'and c.name ilike :pattern'}
       ${after === null ? '' : 'and a.automation_id < :after'}
     order by a.automation_id desc limit :rows`,
    { tenantId, serviceNumberId, status, pattern: containing(q.trim()), after, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ automationId }) => [automationId]);
}

/** How many automations the tenant has that have not ended. */
export async function countAutomations(database: Database, tenantId: string): Promise<number> {
  const row = await firstRow<{ count: number }>(
    database,
    `select count(*) as count from automation a join campaign c on c.campaign_id = a.automation_id
     where a.tenant_id = :tenantId and ${automationStatus} <> 'ended'`,
    { tenantId },
  );
  return row?.count ?? 0;
}

/** Stores what is not in the campaign with the same id. */
export const insertAutomation = `
  insert into automation (automation_id, tenant_id, trigger, filter, delay_minutes, steps, entry, quiet_hours,
    max_per_day, exit_on, updated_at)
  values (:automationId, :tenantId, :trigger::jsonb, :filter::jsonb, :delayMinutes, :timing::jsonb, :entry::jsonb,
    :quietHours::jsonb, :maxPerDay, :exitOn::jsonb, :now)`;

export const updateAutomation = `
  update automation set trigger = :trigger::jsonb, filter = :filter::jsonb, delay_minutes = :delayMinutes,
    steps = :timing::jsonb, entry = :entry::jsonb, quiet_hours = :quietHours::jsonb, max_per_day = :maxPerDay,
    exit_on = :exitOn::jsonb, updated_at = :now
  where automation_id = :automationId`;
