import type { Mutant } from '../mutant.ts';

/** Events, each handled once. */
export const ofInbox: readonly Mutant[] = [
  {
    file: 'db/outreach/inbox/intake.ts',
    from: `  where not \${knownInSomeMonth}
  order`,
    to: `  order`,
    tests: ['db/outreach/retention/partitions.test.ts'],
    why: 'an event that is delivered again in another month is handled twice',
  },
  {
    file: 'db/outreach/inbox/intake.ts',
    from: `on i.tenant_integration_id = g.integration_id and i.status = 'ACTIVE'
  where`,
    to: `on i.tenant_integration_id = g.integration_id
  where`,
    tests: ['api/backend/routes/inbox/intake.test.ts'],
    why: 'events of an uninstalled tenant are taken',
  },
  {
    file: 'db/outreach/inbox/intake.ts',
    from: 'where e.tenant_integration_id = g.integration_id and e.event_id = g.event_id offset 0',
    to: 'where e.event_id = g.event_id offset 0',
    tests: ['api/backend/routes/inbox/intake.test.ts'],
    why: 'an event is lost whose id another tenant has used',
  },
  {
    file: 'db/outreach/inbox/intake.ts',
    from: 'stored.delete(id);',
    to: '',
    tests: ['api/backend/routes/inbox/intake.test.ts'],
    why: 'a repeated event in one delivery counts as new',
  },
  {
    file: 'db/outreach/inbox/batch.ts',
    from: `status = 'stored' and next_attempt_at <= :now
      order`,
    to: `status = 'stored'
      order`,
    tests: ['db/outreach/inbox/batch.test.ts'],
    why: 'an event that waits is tried again all the time',
  },
  {
    file: 'db/outreach/inbox/batch.ts',
    from: 'where a.before < :bytes order',
    to: 'order',
    tests: ['db/outreach/inbox/batch.test.ts'],
    why: 'a batch takes more payload than there is memory for',
  },
  {
    file: 'db/outreach/inbox/batch.ts',
    from: 'order by position limit :limit',
    to: 'limit :limit',
    tests: ['db/outreach/inbox/batch.test.ts'],
    why: 'a tenant waits behind the backlog of another',
  },
  {
    file: 'db/outreach/inbox/batch.ts',
    from: 'on e.tenant_id = g.tenant_id and e.waiting_for = g.context',
    to: 'on e.waiting_for = g.context',
    tests: ['db/outreach/inbox/batch.test.ts'],
    why: 'the task of one tenant wakes the events of another',
  },
  {
    file: 'db/outreach/inbox/lease.ts',
    from: `update inbox_lease set state = :state, expires_at = \${expiry}
     where partition = :partition and holder = :holder`,
    to: `update inbox_lease set state = :state, expires_at = \${expiry}
     where partition = :partition`,
    tests: ['db/outreach/inbox/lease.test.ts'],
    why: 'a drain goes on whose partition another has taken over',
  },
  {
    file: 'db/outreach/inbox/lease.ts',
    from: `where state <> 'free' and expires_at < clock_timestamp()`,
    to: `where expires_at < clock_timestamp()`,
    tests: ['db/outreach/inbox/lease.test.ts'],
    why: 'partitions that nobody needs to drain are drained for ever',
  },
  {
    file: 'commands/outreach/inbox/replay-event.ts',
    from: `if (!before.payload) throw`,
    to: `if (before.payload === null) throw`,
    tests: ['api/backend/routes/inbox/list-and-replay.test.ts'],
    why: 'an event without its payload is handled again',
  },
  {
    file: 'commands/outreach/inbox/dismiss-event.ts',
    from: `if (before.status !== 'failed')`,
    to: `if (before.status === 'processed')`,
    tests: ['api/backend/routes/inbox/dismiss.test.ts'],
    why: 'an event that still waits is put aside',
  },
];
