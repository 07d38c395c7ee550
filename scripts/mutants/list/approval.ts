import type { Mutant } from '../mutant.ts';

/** Sends that another person has to approve. */
export const ofApproval: readonly Mutant[] = [
  {
    file: 'db/outreach/sends/dispatches.ts',
    from: 'if (send.reachableCount <= above)',
    to: 'if (send.reachableCount <= above + 1)',
    tests: ['api/backend/routes/approvals/route.test.ts'],
    why: 'one person sends to more contacts than the tenant lets them',
  },
  {
    file: 'db/outreach/sends/approval/decisions.ts',
    from: `if (userId === requestedBy) throw`,
    to: `if (userId !== requestedBy) throw`,
    tests: ['api/backend/routes/approvals/route.test.ts'],
    why: 'whoever asks for a send approves it',
  },
  {
    file: 'db/outreach/sends/approval/decisions.ts',
    from: 'if (author.userId !== request.requestedBy)',
    to: 'if (author.userId === null)',
    tests: ['api/backend/routes/approvals/route.test.ts'],
    why: 'anybody withdraws what another person has asked for',
  },
  {
    file: 'db/outreach/sends/approval/decisions.ts',
    from: 'if (request?.approvalId !== approvalId)',
    to: 'if (!request)',
    tests: ['api/backend/routes/approvals/route.test.ts'],
    why: 'an approval of an earlier request approves the one after it',
  },
  {
    file: 'db/outreach/sends/approval/holding.ts',
    from: 'and d.audience_count + d.control_count > t.sends_need_approval',
    to: 'and d.audience_count > t.sends_need_approval',
    tests: ['api/backend/routes/approvals/route.test.ts', 'db/outreach/sends/at-start.test.ts'],
    why: 'those who are held back do not count towards the limit of one person',
  },
  {
    file: 'db/outreach/sends/approval/holding.ts',
    from: `and a.outcome = 'approved'`,
    to: `and a.outcome is not null`,
    tests: ['api/backend/routes/approvals/route.test.ts', 'db/outreach/sends/at-start.test.ts'],
    why: 'a send whose approval was rejected or withdrawn goes out',
  },
  {
    file: 'db/outreach/sends/approval/holding.ts',
    from: '::bigint * 11`',
    to: '::bigint * 12`',
    tests: ['activities/outreach/sends/approval.test.ts'],
    why: 'an approval covers an audience of another size',
  },
  {
    file: 'db/outreach/sends/ledger/ledger.ts',
    from: `and c.first_claimed_at is not null and`,
    to: `and`,
    tests: ['activities/outreach/sends/approval.test.ts'],
    why: 'a send is submitted though nobody has decided that it may go out',
  },
  {
    file: 'db/outreach/sends/approval/claiming.ts',
    from: `and \${firstSendFrozen('c')} and`,
    to: `and`,
    tests: ['activities/outreach/sends/approval.test.ts'],
    why: 'it is decided about a send before it is known whom it goes to',
  },
  {
    file: 'db/outreach/sends/approval/requests.ts',
    from: `and idempotency_key = :idempotencyKey limit 1`,
    to: `limit 1`,
    tests: ['api/backend/routes/approvals/route.test.ts'],
    why: 'a send that is asked for again after a rejection is taken for a repetition',
  },
  {
    file: 'db/outreach/sends/states.ts',
    from: `if (campaign.pauseReason === 'approval')`,
    to: `if (campaign.pauseReason === null)`,
    tests: ['api/backend/routes/approvals/route.test.ts'],
    why: 'resuming a send goes round its approval',
  },
];
