import { eventTriggers } from '#domain/rules/triggers.ts';
import { literalsOf } from '#db/outreach/sql-fragments.ts';

/**
 * SQL: the events that live processing has handled, as its rules saw them; without those whose data is no longer kept. The
 * names of all triggers lead to their index.
 */
export const handledEvents = `
  tenant_id = :tenantId and event_type = :trigger and status = 'processed' and payload <> ''
    and event_type in (${literalsOf(eventTriggers)}) and occurred_at between :from and :to`;

/** SQL: the order in which they occurred. */
export const eventOrder = 'occurred_at, tenant_integration_id, event_id';
