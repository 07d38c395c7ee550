import type { Mutant } from '../mutant.ts';

const conditions = 'db/outreach/sends/ledger/conditions.ts';
const ledger = 'db/outreach/sends/ledger/ledger.ts';
const claims = 'commands/outreach/sends/ledger/ledger.test.ts';
const settled = 'commands/outreach/sends/ledger/outcomes.test.ts';
const resolved = 'commands/outreach/sends/ledger/evidence.test.ts';
const dispatching = 'activities/outreach/sends/dispatch.test.ts';
const outcomes = 'db/outreach/sends/ledger/outcomes.ts';
const copied = 'test/adoption/copied-database.test.ts';

/** Which sub-tasks are submitted, by whom, and what becomes of them. */
export const ofClaiming: readonly Mutant[] = [
  {
    file: ledger,
    from: `and t.status = 'pending' and coalesce(t.next_attempt_at, :now) <= :now and not`,
    to: `and t.status = 'pending' and not`,
    tests: [claims],
    why: 'a sub-task is submitted again before its Retry-After is over',
  },
  {
    file: conditions,
    from: `(\${campaign}.status in ('sending', 'scheduled') and`,
    to: `(\${campaign}.status in ('sending', 'scheduled', 'paused') and`,
    tests: [claims],
    why: 'a campaign that is paused goes on sending',
  },
  {
    file: conditions,
    from: `and not \${campaign}.cancel_requested and not`,
    to: `and not`,
    tests: [claims],
    why: 'a campaign that is cancelled goes on sending',
  },
  {
    file: ledger,
    from: `and \${maySend('c')} and \${integrationActive('t')}`,
    to: `and \${maySend('c')}`,
    tests: [claims],
    why: 'something is sent for a tenant that has uninstalled the application',
  },
  {
    file: conditions,
    from: `.cancel_requested and not \${beingEdited(campaign)})`,
    to: `.cancel_requested)`,
    tests: [claims],
    why: 'the old content is submitted while a campaign is changed',
  },
  {
    file: ledger,
    from: `<= :now and not \${awaitsChoice('t')}
         and c.first_claimed_at`,
    to: `<= :now
         and c.first_claimed_at`,
    tests: [claims],
    why: 'the rest of a test is sent to before a variant is chosen',
  },
  {
    file: ledger,
    from: `where t.tenant_id = :tenantId and t.dispatch_id = :dispatchId and t.chunk between :from and :to
         and t.status = 'pending'`,
    to: `where t.dispatch_id = :dispatchId and t.chunk between :from and :to
         and t.status = 'pending'`,
    tests: [claims],
    why: 'one tenant claims the sub-tasks of another',
  },
  {
    file: ledger,
    from: `order by t.chunk limit 1 for update of t skip locked)
       and status = 'pending'`,
    to: `order by t.chunk limit 1)`,
    tests: [claims],
    why: 'two attempts submit one sub-task',
  },
  {
    file: ledger,
    from: `and id not like '\${PSEUDONYM_PATTERN}'`,
    to: '',
    tests: ['activities/outreach/sends/erased-contacts.test.ts'],
    why: 'a contact that was erased is sent to',
  },
  {
    file: ledger,
    from: `and t.status = 'submitting' and t.submitting_by = :owner and t.key <> all(:except::text[])`,
    to: `and t.status = 'submitting' and t.key <> all(:except::text[])`,
    tests: [claims],
    why: 'an attempt that gives up releases what another is submitting',
  },
  {
    file: ledger,
    from: `and t.submitting_by = :owner and t.key <> all(:except::text[])`,
    to: `and t.submitting_by = :owner`,
    tests: [claims],
    why: 'a sub-task whose outcome is not stored yet is submitted again',
  },
  {
    file: ledger,
    from: `and status = 'submitting' and submitting_since <= :before\``,
    to: `and status = 'submitting'\``,
    tests: [claims],
    why: 'a call that is under way counts as unknown',
  },
  {
    file: 'commands/outreach/sends/ledger/abandon-submissions.ts',
    from: `repeatable ? 'pending' : 'unknown'`,
    to: `repeatable ? 'unknown' : 'pending'`,
    tests: [claims],
    why: 'what may have been sent is sent again',
  },
  {
    file: 'activities/outreach/sends/dispatch.ts',
    from: 'const repeatable = deps.settings.PLATFORM_A1_IDEMPOTENT',
    to: 'const repeatable = false',
    tests: ['activities/outreach/sends/honoured-keys.test.ts'],
    why: 'what a dead process left behind stays unknown, although the platform honours keys',
  },
  {
    file: 'activities/outreach/sends/submission.ts',
    from: 'if (!deps.settings.PLATFORM_A1_IDEMPOTENT) {',
    to: 'if (deps.settings.PLATFORM_A1_IDEMPOTENT) {',
    tests: [dispatching],
    why: 'an ambiguous call is repeated',
  },
  {
    file: 'commands/outreach/sends/ledger/pause-late.ts',
    from: 'and d.late_at is null and d.scheduled_at',
    to: 'and d.scheduled_at',
    tests: [claims],
    why: 'a late send that an operator has resumed is paused again',
  },
  {
    file: outcomes,
    from: 'and key = :key and submitting_by = :owner and status',
    to: 'and key = :key and status',
    tests: [settled],
    why: 'a late outcome settles the submission of the attempt that took over',
  },
  {
    file: 'commands/outreach/sends/ledger/outcomes.ts',
    from: `and t.key = :key and t.submitting_by = :owner`,
    to: `and t.key = :key`,
    tests: [settled],
    why: 'a late rejection splits the submission of the attempt that took over',
  },
  {
    file: outcomes,
    from: `unsubmitted('c.cancel_requested', `,
    to: `unsubmitted('false', `,
    tests: [settled],
    why: 'what comes back unsent after a cancellation is sent',
  },
  {
    file: 'commands/outreach/sends/ledger/outcomes.ts',
    from: 'row.named > 0 && row.others > 0',
    to: 'row.named > 0 || row.others > 0',
    tests: [settled],
    why: 'a sub-task without contacts is made',
  },
  {
    file: 'commands/outreach/sends/ledger/evidence.ts',
    from: `and (status = 'unknown' or (status = 'rejected' and`,
    to: `and (status in ('unknown', 'cancelled') or (status = 'rejected' and`,
    tests: [resolved],
    why: 'a sub-task that was cancelled counts as sent by a late response',
  },
  {
    file: 'commands/outreach/sends/ledger/evidence.ts',
    from: `and coalesce(submitting_since, :submittedBefore) <= :submittedBefore
     returning`,
    to: `returning`,
    tests: [resolved],
    why: 'an operator says that it was not sent while its call is under way, and a retry sends it twice',
  },
  {
    file: 'commands/outreach/sends/ledger/evidence.ts',
    from: `where tenant_id = :tenantId and key = :key and status = 'unknown'`,
    to: `where key = :key and status = 'unknown'`,
    tests: [resolved],
    why: 'one tenant settles the sub-tasks of another',
  },
  {
    file: 'db/outreach/sql-fragments.ts',
    from: `and i.status = 'ACTIVE')
    and not \${startedElsewhere})`,
    to: `and i.status = 'ACTIVE'))`,
    tests: [copied],
    why: 'a copy of the database sends the campaigns again',
  },
  {
    file: 'db/outreach/tenants/outbound-calls.ts',
    from: `and i.status = 'ACTIVE' and not \${startedElsewhere} for share`,
    to: `and i.status = 'ACTIVE' for share`,
    tests: [copied],
    why: 'a copy of the database calls the platform',
  },
  {
    file: 'db/webhooks/claims.ts',
    from: `where \${active} and not \${startedElsewhere}`,
    to: `where \${active}`,
    tests: [copied, 'api/orders/merchant-events/relay.test.ts'],
    why: 'a copy of the database sends events again',
  },
];
