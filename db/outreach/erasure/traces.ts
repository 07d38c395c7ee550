import { type Database, firstRow, rows } from '#db/database.ts';
import { originColumns } from '../tags/origin.ts';
import { partTellsOf } from './outgoing.ts';
import { listsContact, serviceNumbersIn } from './profile.ts';
import { heldBackContact, partHasContact, snapshotsOfContact } from './sends.ts';

/** One contact of a tenant. */
export interface Person {
  tenantId: string;
  contactId: string;
}

/** A table that has rows of a contact, which are found by its id. */
interface Trace {
  /** SQL for a JSON object: one row as it is exported. */
  item: string;
  /** The tables and the condition, including `where`. */
  from: string;
  /** SQL that orders the rows and tells them apart: two expressions with their types. */
  order: readonly [[string, string], [string, string]];
}

const text = (expression: string): [string, string] => [expression, 'text'];

/** Everything stored about a contact but the inbox and the audit log, by table. */
const traces = {
  contact_profile: {
    item: `to_jsonb(p) - 'tenant_id'`,
    from: `contact_profile p where p.tenant_id = :tenantId and p.contact_id = :contactId
      and p.service_number_id in (${serviceNumbersIn('contact_profile')})`,
    order: [text('p.service_number_id'), text('p.contact_id')],
  },
  contact_profile_past: {
    item: `to_jsonb(p) - 'tenant_id'`,
    from: `contact_profile_past p where p.tenant_id = :tenantId and p.contact_id = :contactId
      and p.service_number_id in (${serviceNumbersIn('contact_profile_past')})`,
    order: [
      ['p.until', 'timestamptz'],
      ['p.service_number_id', 'text'],
    ],
  },
  contact_event: {
    item: `to_jsonb(e) - 'tenant_id'`,
    from: `contact_event e where e.tenant_id = :tenantId and e.contact_id = :contactId
      and e.service_number_id in (${serviceNumbersIn('contact_event')})`,
    order: [['e.occurred_at', 'timestamptz'], text('e.event_id')],
  },
  tag_assignment: {
    item: `jsonb_build_object('tagId', a.tag_id, 'name', g.name, 'serviceNumberId', g.service_number_id,
      'contactId', a.contact_id, 'assignedAt', a.assigned_at, 'origin', (select o.origin from (select ${originColumns}) o))`,
    from: `tag_assignment a join tag g using (tag_id) where a.tenant_id = :tenantId and a.contact_id = :contactId`,
    order: [text('a.tag_id'), text('a.contact_id')],
  },
  tag_assignment_past: {
    item: `to_jsonb(x) - 'tenant_id' || jsonb_build_object('name', g.name, 'serviceNumberId', g.service_number_id)`,
    from: `tag_assignment_past x join tag g using (tag_id) where x.tenant_id = :tenantId and x.contact_id = :contactId`,
    order: [['x.until', 'timestamptz'], text('x.tag_id')],
  },
  removed_assignment: {
    item: `to_jsonb(x) || jsonb_build_object('tagName', g.name)`,
    from: `removed_assignment x join tag g using (tag_id) where g.tenant_id = :tenantId and x.contact_id = :contactId`,
    order: [text(`x.tag_id`), text(`x.rule_id || ' ' || x.cause`)],
  },
  automation_entry: {
    item: `to_jsonb(e) - 'tenant_id'`,
    from: 'automation_entry e where e.tenant_id = :tenantId and e.contact_id = :contactId',
    order: [text('e.automation_id'), text('e.entry_id')],
  },
  automation_member: {
    item: `to_jsonb(m) - 'tenant_id'`,
    from: 'automation_member m where m.tenant_id = :tenantId and m.contact_id = :contactId',
    order: [text('m.automation_id'), text('m.contact_id')],
  },
  automation_step: {
    item: `to_jsonb(s) - 'tenant_id'`,
    from: 'automation_step s where s.tenant_id = :tenantId and s.contact_id = :contactId',
    order: [text('s.entry_id'), text('s.step::text')],
  },
  audience_member: {
    item: `to_jsonb(m) || jsonb_build_object('name', a.name)`,
    from: `audience a join audience_member m on m.audience_id = a.audience_id and m.contact_id = :contactId
      where a.tenant_id = :tenantId`,
    order: [text('a.audience_id'), text('m.contact_id')],
  },
  audience_replaced: {
    item: `jsonb_build_object('audienceId', a.audience_id, 'name', a.name, 'contactId', :contactId::text)`,
    from: `audience a join audience_replaced r on r.audience_id = a.audience_id
      and r.contact_ids @> array[:contactId::text] where a.tenant_id = :tenantId`,
    order: [text('a.audience_id'), text('a.name')],
  },
  tenant: {
    item: 'one',
    from: `tenant t, jsonb_array_elements(t.test_contacts) one
      where t.tenant_id = :tenantId and one ->> 'contactId' = :contactId`,
    order: [text(`one ->> 'serviceNumberId'`), text(`one ->> 'contactId'`)],
  },
  campaign: {
    item: `jsonb_build_object('campaignId', c.campaign_id, 'name', c.name, 'contactId', :contactId::text)`,
    from: `campaign c where c.tenant_id = :tenantId and ${listsContact}`,
    order: [text('c.campaign_id'), text('c.name')],
  },
  dispatch_chunk: {
    item: `to_jsonb(r) || jsonb_build_object('campaignId', d.campaign_id, 'sentAt', d.created_at,
      'subTaskKey', t.key, 'taskId', t.task_id, 'status', t.status)`,
    from: `${snapshotsOfContact} left join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
      where d.tenant_id = :tenantId`,
    order: [text('r.dispatch_id'), text('r.contact_id')],
  },
  dispatch_control: {
    item: `to_jsonb(r) || jsonb_build_object('campaignId', d.campaign_id, 'sentAt', d.created_at)`,
    from: `${heldBackContact} where d.tenant_id = :tenantId`,
    order: [text('r.dispatch_id'), text('r.contact_id')],
  },
  broadcast_task: {
    item: `jsonb_build_object('subTaskKey', t.key, 'campaignId', t.campaign_id, 'error', t.error_message)`,
    from: `${snapshotsOfContact} join broadcast_task t on t.dispatch_id = d.dispatch_id
      where d.tenant_id = :tenantId and position(:contactId in t.error_message) > 0`,
    order: [text('t.dispatch_id'), text('t.key')],
  },
  dispatch: {
    item: `jsonb_build_object('dispatchId', d.dispatch_id, 'campaignId', d.campaign_id, 'contactId', d.frozen_through)`,
    from: 'dispatch d where d.tenant_id = :tenantId and d.frozen_through = :contactId',
    order: [text('d.dispatch_id'), text('d.campaign_id')],
  },
  audience_drift: {
    item: `to_jsonb(a) || jsonb_build_object('campaignId', d.campaign_id)`,
    from: `dispatch d join audience_drift a on a.dispatch_id = d.dispatch_id and a.change in ('added', 'removed')
      and a.contact_id = :contactId where d.tenant_id = :tenantId`,
    order: [text('a.dispatch_id'), text('a.change')],
  },
  dry_run_part: {
    item: `jsonb_build_object('campaignId', d.campaign_id, 'class', p.class, 'at', d.created_at, 'contactId', :contactId::text)`,
    from: `dry_run d, dry_run_part p where ${partHasContact}`,
    order: [text('p.dry_run_id'), text('p.class')],
  },
  click_attribution: {
    item: `to_jsonb(k) - 'tenant_id'`,
    from: 'click_attribution k where k.tenant_id = :tenantId and k.contact_id = :contactId',
    order: [
      ['k.clicked_at', 'timestamptz'],
      text(`k.task_id || ' ' || k.notice_id || ' ' || k.action_index || ' ' || k.campaign_id`),
    ],
  },
  conversation: {
    item: `to_jsonb(v) - 'tenant_id'`,
    from: 'conversation v where v.tenant_id = :tenantId and v.contact_id = :contactId',
    order: [['v.opened_at', 'timestamptz'], text('v.session_id')],
  },
  contact_revenue_entry: {
    item: `to_jsonb(r) - 'tenant_id'`,
    from: 'contact_revenue_entry r where r.tenant_id = :tenantId and r.contact_id = :contactId',
    order: [['r.at', 'timestamptz'], text('r.movement')],
  },
  outgoing_event_part: {
    item: `jsonb_build_object('eventId', e.event_id, 'type', e.type, 'at', e.created_at) || (e.data - 'tenantId')
      || jsonb_build_object('contacts', (select jsonb_agg(item) from jsonb_array_elements(p.items) as of_part (item)
        where item ->> 'contactId' = :contactId::text))`,
    from: `outgoing_event_part p join outgoing_event e using (event_id) where ${partTellsOf}`,
    order: [text('p.event_id::text'), text('p.part::text')],
  },
} satisfies Record<string, Trace>;

/** A table with rows of contacts. */
export type TracedTable = keyof typeof traces;

const PAGE = 500;

interface TraceRow {
  item: Record<string, unknown>;
  first: string;
  second: string;
}

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Only the names of columns: what the platform sent keeps its own. */
const named = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [camelCase(name), value]));

/** The rows that a table has of a contact, a page at a time. */
export async function* tracesIn(
  database: Database,
  table: TracedTable,
  { tenantId, contactId }: Person,
): AsyncGenerator<Record<string, unknown>[]> {
  const { item, from, order }: Trace = traces[table];
  const [[first, firstType], [second, secondType]] = order;
  // The first comparison says no more than the second, but an index can be read from there.
  const later = `(${first}) >= :first::${firstType}
    and ((${first}), (${second})) > (:first::${firstType}, :second::${secondType})`;
  let after: Pick<TraceRow, 'first' | 'second'> | undefined;
  for (;;) {
    const page: TraceRow[] = await rows<TraceRow>(
      database,
      `select ${item} as item, (${first})::text as first, (${second})::text as second from ${from}
       ${after ? `and ${later}` : ''}
       order by (${first}), (${second}) limit ${PAGE}`,
      { tenantId, contactId, ...after },
    );
    if (page.length > 0) yield page.map((row) => named(row.item));
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** Whether the tenant has stored anything of a contact, apart from events and audit entries that name it. */
export async function isKnown(database: Database, { tenantId, contactId }: Person): Promise<boolean> {
  const places = Object.values<Trace>(traces).map(({ from }) => `exists (select 1 from ${from})`);
  const found = await firstRow<{ known: boolean }>(database, `select ${places.join(' or ')} as known`, {
    tenantId,
    contactId,
  });
  return found?.known ?? false;
}
