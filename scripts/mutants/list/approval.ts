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
    from: `and a.outcome = 'approved')`,
    to: `and a.outcome is not null)`,
    tests: ['api/backend/routes/approvals/route.test.ts', 'db/outreach/sends/at-start.test.ts'],
    why: 'a send whose approval was rejected or withdrawn goes out',
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
