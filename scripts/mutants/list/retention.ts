import type { Mutant } from '../mutant.ts';

const uninstalled = ['db/outreach/retention/uninstalled.test.ts'];
const expired = ['commands/outreach/retention/expired-rows.test.ts'];
const partitions = ['db/outreach/retention/partitions.test.ts'];

/** What is deleted, and what is not. */
export const ofRetention: readonly Mutant[] = [
  {
    file: 'db/outreach/retention/uninstalled.ts',
    from: 'bool_and(',
    to: 'bool_or(',
    tests: uninstalled,
    why: 'a tenant that was installed again loses everything',
  },
  {
    file: 'db/outreach/retention/uninstalled.ts',
    from: 'max(uninstalled_at) < :before',
    to: 'min(uninstalled_at) < :before',
    tests: uninstalled,
    why: 'the days begin with the first of several uninstallations',
  },
  {
    file: 'db/outreach/retention/uninstalled.ts',
    from: 'max(uninstalled_at) < :before',
    to: 'max(uninstalled_at) <= :before',
    tests: uninstalled,
    why: 'what is kept of a tenant is deleted at the last moment of its retention',
  },
  {
    file: 'commands/outreach/retention/delete-expired-rows.ts',
    from: `received_at < :before and status <> 'stored'`,
    to: 'received_at < :before',
    tests: expired,
    why: 'an event that still waits is deleted',
  },
  {
    file: 'commands/outreach/retention/delete-expired-rows.ts',
    from: `{ table: 'conversation_rest', expired: 'opened_at < :before', days: ({ timeline }) => timeline },`,
    to: `{ table: 'conversation_rest', expired: 'opened_at < :before', days: ({ events }) => events },`,
    tests: ['activities/outreach/retention/expired.test.ts'],
    why: 'conversations are deleted when events are',
  },
  {
    file: 'db/outreach/retention/expired-rows.ts',
    from: 'and not ${neededSends}',
    to: '',
    tests: ['commands/outreach/retention/expired-rows.test.ts'],
    why: 'the recipients of a send that is under way are deleted',
  },
  {
    file: 'db/outreach/retention/payloads.ts',
    from: `and status <> 'stored' and received_at`,
    to: 'and received_at',
    tests: ['activities/outreach/retention/payloads.test.ts'],
    why: 'an event that waits loses its payload',
  },
  {
    file: 'db/outreach/retention/payloads.ts',
    from: 'received_at < :before and occurred_at < :before',
    to: 'occurred_at < :before',
    tests: ['activities/outreach/retention/payloads.test.ts'],
    why: 'a young payload of an old occurrence is deleted',
  },
  {
    file: 'db/outreach/retention/partitions.ts',
    from: `where e.status = 'stored' and`,
    to: `where e.status = 'failed' and`,
    tests: partitions,
    why: 'a month with events that wait is dropped',
  },
  {
    file: 'db/outreach/retention/partitions.ts',
    from: 'monthAfter(new Date(month), 1) <= before',
    to: 'month <= before',
    tests: [...partitions, 'activities/outreach/retention/expired.test.ts'],
    why: 'a month is dropped before its last day is old enough',
  },
  {
    file: 'db/outreach/retention/sends.ts',
    from: `c.status in ('scheduled', 'sending', 'paused')`,
    to: `c.status in ('scheduled', 'sending')`,
    tests: expired,
    why: 'the recipients of a paused send are deleted',
  },
  {
    file: 'db/outreach/automations/forgetting.ts',
    from: `then a.entry <> '"once"'`,
    to: 'then true',
    tests: ['api/backend/routes/automations/entries.test.ts'],
    why: 'an automation that takes each contact once forgets whom it has taken',
  },
  {
    file: 'db/outreach/erasure/events.ts',
    from: 'event.about && event.occurredAt <= until',
    to: 'event.about',
    tests: ['db/outreach/erasure/events.test.ts'],
    why: 'what happens to a contact after its erasure is forgotten',
  },
  {
    file: 'db/outreach/erasure/events.ts',
    from: `status = case when e.status in ('stored', 'failed') then 'dismissed' else e.status end`,
    to: `status = case when e.status in ('failed') then 'dismissed' else e.status end`,
    tests: ['db/outreach/erasure/events.test.ts'],
    why: 'an event of an erased contact that waits is handled',
  },
  {
    file: 'db/outreach/erasure/erasures.ts',
    from: `coalesce(e.erased_at, 'infinity') >= g.occurred_at`,
    to: `e.erased_at >= g.occurred_at`,
    tests: ['db/outreach/erasure/erasures.test.ts'],
    why: 'events of a contact are taken while it is being erased',
  },
  {
    file: 'db/outreach/erasure/erasures.ts',
    from: `coalesce(e.erased_at, 'infinity') >= g.occurred_at`,
    to: `coalesce(e.erased_at, 'infinity') < g.occurred_at`,
    tests: ['db/outreach/erasure/erasures.test.ts'],
    why: 'what happened before the erasure is taken, and what comes after is not',
  },
  {
    file: 'db/outreach/erasure/sends.ts',
    from: `update click_attribution set contact_id = :pseudonym where tenant_id = :tenantId and contact_id = :contactId
         \${page`,
    to: `update click_attribution set contact_id = :pseudonym where contact_id = :contactId
         \${page`,
    tests: ['db/outreach/erasure/sends.test.ts'],
    why: 'erasing a contact erases the one of another tenant with the same id',
  },
];
