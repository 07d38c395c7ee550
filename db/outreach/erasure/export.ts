import { mentionsAlone } from '#domain/contacts/mentions.ts';
import type { ContactExport } from '#domain/api/person.ts';
import type { Database } from '#db/database.ts';
import { entriesNaming } from './audit-entries.ts';
import { eventsNaming } from './events.ts';
import { type Person, type TracedTable, tracesIn } from './traces.ts';

type Part = Exclude<keyof ContactExport, 'contactId' | 'exportedAt'>;

/** Where the rows of each table are exported. */
export const partOfTable = {
  contact_profile: 'profiles',
  contact_profile_past: 'formerProfiles',
  contact_event: 'timeline',
  tag_assignment: 'tags',
  tag_assignment_past: 'formerTags',
  removed_assignment: 'removedTags',
  automation_entry: 'automationEntries',
  automation_member: 'automationSegments',
  automation_step: 'automationSteps',
  audience_member: 'lists',
  audience_replaced: 'replacedLists',
  tenant: 'testContacts',
  campaign: 'campaigns',
  dispatch_chunk: 'recipients',
  dispatch_control: 'controlGroups',
  broadcast_task: 'subTasks',
  dispatch: 'preparations',
  audience_drift: 'audienceChanges',
  dry_run_part: 'dryRuns',
  click_attribution: 'clicks',
  conversation: 'conversations',
  contact_revenue_entry: 'payments',
  outgoing_event_part: 'webhookEvents',
  event_inbox: 'events',
  audit_log: 'auditEntries',
} as const satisfies Record<TracedTable | 'event_inbox' | 'audit_log', Part>;

type Rows = AsyncGenerator<object[]>;

async function* eventsOf(database: Database, person: Person): Rows {
  for await (const page of eventsNaming(database, person))
    yield page.map(({ id, eventType, status, occurredAt, receivedAt, data, error }) => ({
      eventId: id,
      eventType,
      status,
      occurredAt,
      receivedAt,
      data: data === '' ? null : mentionsAlone(data, person.contactId),
      error,
    }));
}

async function* entriesOf(database: Database, person: Person): Rows {
  for await (const page of entriesNaming(database, person))
    yield page.map(({ id, writtenAt, actor, action, objectType, objectId, before, after }) => ({
      auditId: id,
      at: writtenAt,
      actor,
      action,
      objectType,
      objectId,
      before: mentionsAlone(before, person.contactId),
      after: mentionsAlone(after, person.contactId),
    }));
}

function rowsOf(database: Database, table: keyof typeof partOfTable, person: Person): Rows {
  if (table === 'event_inbox') return eventsOf(database, person);
  return table === 'audit_log' ? entriesOf(database, person) : tracesIn(database, table, person);
}

/** Everything stored about a contact, part by part, each read a page at a time when it is asked for. */
export function exportPerson(database: Database, person: Person): [Part, Rows][] {
  const tables = Object.keys(partOfTable) as (keyof typeof partOfTable)[];
  return tables.map((table) => [partOfTable[table], rowsOf(database, table, person)]);
}
