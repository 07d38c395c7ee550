import type { Mutant } from '../mutant.ts';

const conditions = 'db/outreach/sends/ledger/conditions.ts';
const states = 'domain/campaigns/states.ts';
const paced = 'db/outreach/sends/ledger/paced.ts';

/** Sends, retries, states of campaigns, and pace. */
export const ofSends: readonly Mutant[] = [
  {
    file: conditions,
    from: `(t.status = 'failed' and t.sent = 0))
  and not t.reached`,
    to: `t.status = 'failed')
  and not t.reached`,
    tests: ['api/backend/routes/sends/retry-failed.test.ts'],
    why: 'a retry sends again to whom a failed task has reached',
  },
  {
    file: conditions,
    from: 'and not t.reached and coalesce',
    to: 'and coalesce',
    tests: [
      'activities/outreach/inbox/handlers/clicked-though-failed.test.ts',
      'api/backend/routes/sends/retry-failed',
    ],
    why: 'a retry sends again to somebody who has clicked',
  },
  {
    file: 'db/outreach/sends/retries.ts',
    from: `and t.campaign_id = :campaignId and t.superseded_by is null
    and`,
    to: `and t.campaign_id = :campaignId
    and`,
    tests: ['api/backend/routes/sends/retry-failed.test.ts'],
    why: 'what a retry has replaced is sent a second time',
  },
  {
    file: 'db/outreach/sends/retries.ts',
    from: 'and (t.task_id is null or t.key = any(:asked))',
    to: '',
    tests: ['api/backend/routes/sends/retry-failed.test.ts'],
    why: 'a failed task is retried that the platform has sent meanwhile',
  },
  {
    file: 'commands/outreach/sends/retry-failed.ts',
    from: 'if (await isRepeated(transaction, id, keyOf(request.idempotencyKey)))',
    to: 'if (await isRepeated(transaction, id, request.idempotencyKey))',
    tests: ['api/backend/routes/sends/retry-failed.test.ts'],
    why: 'a retry that is repeated with its key is no longer recognised',
  },
  {
    file: 'commands/outreach/sends/send-campaign.ts',
    from: 'if (await isRepeated(transaction, id, request.idempotencyKey)) return',
    to: 'if (request.idempotencyKey === null) return',
    tests: ['api/backend/routes/sends/sending.test.ts'],
    why: 'a send that is repeated with its key is refused',
  },
  {
    file: 'commands/outreach/sends/dispatches.ts',
    from: `if (expected !== null && expected !== reachableCount)`,
    to: `if (expected !== null && expected < reachableCount)`,
    tests: ['api/backend/routes/sends/sending.test.ts'],
    why: 'a send reaches fewer contacts than the operator saw',
  },
  {
    file: 'commands/outreach/sends/dispatches.ts',
    from: `.findOne({ tenantId, status: 'ACTIVE' })`,
    to: `.findOne({ tenantId })`,
    tests: ['api/backend/routes/sends/sending.test.ts', 'api/backend/routes/tenants/uninstall.test.ts'],
    why: 'a tenant that has uninstalled the application sends',
  },
  {
    file: 'domain/sends/actions.ts',
    from: `if (facts.status !== 'paused')`,
    to: `if (facts.status === 'draft')`,
    tests: ['api/backend/routes/sends/sending.test.ts'],
    why: 'a campaign that has ended is resumed',
  },
  {
    file: 'domain/sends/actions.ts',
    from: `facts.contacts.inDoubt > 0 || (facts.preparing && !facts.unresolved)`,
    to: `facts.preparing && !facts.unresolved`,
    tests: ['test/sends/matrix.test.ts'],
    why: 'a campaign is changed while nobody knows what the platform has of it',
  },
  {
    file: 'domain/sends/claim.ts',
    from: `!facts.awaitsChoice &&`,
    to: ``,
    tests: ['commands/outreach/sends/ledger/claim-conditions.test.ts'],
    why: 'the domain says that the rest of a test may be claimed before a variant is chosen',
  },
  {
    file: states,
    from: `if (status === 'draft' || status === 'closed') return plain(status);`,
    to: `if (status === 'draft') return plain(status);`,
    tests: ['domain/campaigns/states.test.ts'],
    why: 'a campaign that was closed is sending again',
  },
  {
    file: states,
    from: `if (status === 'cancelled' && facts.endedByUninstall)`,
    to: `if (status === 'cancelled')`,
    tests: ['domain/campaigns/states.test.ts'],
    why: 'a cancelled campaign stays cancelled although everything was sent',
  },
  {
    file: states,
    from: `(facts.preparing || count('pending') > 0) && !cancelRequested)`,
    to: `(facts.preparing || count('pending') > 0))`,
    tests: ['domain/campaigns/states.test.ts'],
    why: 'a cancelled campaign stays paused',
  },
  {
    file: states,
    from: `if (cancelRequested && count('cancelled') > 0)`,
    to: `if (cancelRequested)`,
    tests: ['domain/campaigns/states.test.ts'],
    why: 'a campaign whose cancellation came too late counts as cancelled',
  },
  {
    file: states,
    from: `return rank[reported] > rank[known] ? reported : known;`,
    to: `return rank[reported] >= rank[known] ? reported : known;`,
    tests: ['domain/campaigns/states.test.ts'],
    why: 'a response that comes late changes how a task has ended',
  },
  {
    file: states,
    from: `if (statusAssumed || !(status in rank)) return reported;`,
    to: `if (!(status in rank)) return reported;`,
    tests: ['domain/campaigns/states.test.ts'],
    why: 'a status that was assumed outlasts what the platform reports',
  },
  {
    file: paced,
    from: `if (due > now || (deadline !== null && deadline <= now)) return null;`,
    to: `if (deadline !== null && deadline <= now) return null;`,
    tests: ['test/sends/paced.test.ts', 'test/sends/pace.test.ts'],
    why: 'a send with a pace is sent at once, in quiet hours, too',
  },
  {
    file: paced,
    from: `if (due > now || (deadline !== null && deadline <= now)) return null;`,
    to: `if (due > now) return null;`,
    tests: ['test/sends/paced.test.ts', 'test/sends/pace.test.ts'],
    why: 'a send goes on after its deadline',
  },
  {
    file: 'db/outreach/sends/ledger/ledger.ts',
    from: 'and (:inTurn or c.pace is null)',
    to: 'and (:inTurn or true)',
    tests: ['test/sends/paced.test.ts'],
    why: 'a pace that comes while sub-tasks are submitted is ignored',
  },
  {
    file: paced,
    from: 'update campaign set next_claim_at = :due where campaign_id = :campaignId and next_claim_at > :due',
    to: 'update campaign set next_claim_at = null where campaign_id = :campaignId',
    tests: ['test/sends/paced.test.ts'],
    why: 'each change of the pace releases a sub-task at once',
  },
  {
    file: paced,
    from: 'greatest(c.next_claim_at, ${minuteFullUntil})',
    to: 'c.next_claim_at',
    tests: ['test/sends/paced.test.ts'],
    why: 'a minute has more than the rate and a sub-task where their sizes differ',
  },
  {
    file: 'domain/campaigns/pace/quiet-hours.ts',
    from: 'return start < end ? wall >= start && wall < end : wall >= start || wall < end;',
    to: 'return start < end ? wall >= start && wall <= end : wall >= start || wall <= end;',
    tests: ['domain/campaigns/pace/pace.test.ts'],
    why: 'quiet hours last a minute longer',
  },
  {
    file: 'domain/campaigns/pace/quiet-hours.ts',
    from: 'return start < end ? wall >= start && wall < end : wall >= start || wall < end;',
    to: 'return wall >= start && wall < end;',
    tests: ['domain/campaigns/pace/pace.test.ts'],
    why: 'quiet hours over midnight are none',
  },
  {
    file: 'domain/campaigns/pace/due.ts',
    from: 'deadline === null || deadlineOverAt !== null || createdAt >= deadline',
    to: 'deadline === null || createdAt >= deadline',
    tests: ['domain/campaigns/pace/pace.test.ts'],
    why: 'a send that an operator has resumed after its deadline stays kept back',
  },
  {
    file: 'domain/campaigns/pace/due.ts',
    from: 'if (takes === 0 || pacedUntil === null || now.getTime() - pacedUntil.getTime() >= MINUTE) return next;',
    to: 'if (takes === 0 || pacedUntil === null) return next;',
    tests: ['domain/campaigns/pace/pace.test.ts'],
    why: 'after a pause, a send makes up for all of it at once',
  },
  {
    file: 'domain/campaigns/links/sent-link.ts',
    from: 'if (tracked === false || isFixed(url))',
    to: 'if (tracked === false)',
    tests: ['domain/campaigns/links/sent-link.test.ts'],
    why: 'a signed link is changed, and no longer opens',
  },
  {
    file: 'domain/campaigns/links/sent-link.ts',
    from: 'if (tracked === false || isFixed(url))',
    to: 'if (isFixed(url))',
    tests: ['domain/campaigns/links/sent-link.test.ts'],
    why: 'a link that is to be sent as it is written gets parameters',
  },
  {
    file: 'domain/campaigns/links/clicked.ts',
    from: 'normalForm(link.sent) === normal',
    to: 'link.sent === normal',
    tests: ['domain/campaigns/links/clicked.test.ts'],
    why: 'a click whose address was normalised counts for another message',
  },
];
