import type { Mutant } from '../mutant.ts';

const resolution = ['commands/outreach/audiences/resolution.test.ts'];
const segments = ['db/outreach/audiences/segments/sets.test.ts'];
const matching = ['domain/rules/match-condition.test.ts'];

/** Whom an audience has, and whom a rule tags. */
export const ofAudiences: readonly Mutant[] = [
  {
    file: 'db/outreach/audiences/resolution.ts',
    from: `having sum(hit) >= :needed::int and sum(barred) = 0`,
    to: `having sum(hit) >= :needed::int`,
    tests: resolution,
    why: 'contacts with an excluded tag are sent to',
  },
  {
    file: 'db/outreach/audiences/resolution.ts',
    from: `source.tagOperator === 'AND' ? wanted.length : 1`,
    to: `source.tagOperator === 'AND' ? 1 : wanted.length`,
    tests: resolution,
    why: 'all of the tags and any of the tags are mixed up',
  },
  {
    file: 'db/outreach/audiences/reach-counts.ts',
    from: `case when p.unsubscribed then 'unsubscribed' when p.follow_state`,
    to: `case when p.follow_state`,
    tests: resolution,
    why: 'contacts that have unsubscribed are sent to',
  },
  {
    file: 'db/outreach/audiences/valid-tag.ts',
    from: `(status <> 'expired' and coalesce(expires_at > :now, true))`,
    to: `(status <> 'expired')`,
    tests: resolution,
    why: 'a tag whose time is over goes on matching until it is marked',
  },
  {
    file: 'db/outreach/audiences/valid-tag.ts',
    from: 'where tenant_id = :tenantId and tag_id = :${tag})',
    to: 'where tag_id = :${tag})',
    tests: resolution,
    why: 'an audience is made of another tenant’s tag',
  },
  {
    file: 'db/outreach/audiences/segments/resolution.ts',
    from: `const operators = { all: 'and', any: 'or',`,
    to: `const operators = { all: 'or', any: 'and',`,
    tests: segments,
    why: 'all of the conditions and any of them are mixed up',
  },
  {
    file: 'db/outreach/audiences/segments/sets.ts',
    from: "return 'not' in part ? `(${operators.not(composed(part.not, operators, condition))})`",
    to: "return 'not' in part ? composed(part.not, operators, condition)",
    tests: segments,
    why: 'those who did it are sent to instead of those who did not',
  },
  {
    file: 'db/outreach/audiences/segments/sets.ts',
    from: 'where t.tenant_id = :tenantId and ${sql} and ${wasDelivered}',
    to: 'where t.tenant_id = :tenantId and ${sql}',
    tests: segments,
    why: 'contacts of a task that was not delivered count as reached',
  },
  {
    file: 'domain/rules/match-condition.ts',
    from: 'condition.all.every(',
    to: 'condition.all.some(',
    tests: matching,
    why: 'a rule applies where one of its conditions holds',
  },
  {
    file: 'domain/rules/match-condition.ts',
    from: `if (op === 'ne') return !compares({ field, op: 'eq', value } as Comparison, facts);
  if (found === null) return false;`,
    to: `if (found === null) return false;
  if (op === 'ne') return !compares({ field, op: 'eq', value } as Comparison, facts);`,
    tests: matching,
    why: 'a rule for what is not so misses events without the field',
  },
  {
    file: 'domain/rules/match-condition.ts',
    from: `if (op === 'lte') return found <= value;`,
    to: `if (op === 'lte') return found < value;`,
    tests: matching,
    why: 'a rule misses its limit',
  },
  {
    file: 'domain/rules/glob.ts',
    from: 'return ((matched[(end / BITS) | 0] ?? 0) & bitOf(end)) !== 0;',
    to: 'return true;',
    tests: matching,
    why: 'a pattern matches what only begins like it',
  },
  {
    file: 'db/outreach/rules/application.ts',
    from: `r.status = 'active' and r.removed_at is null`,
    to: `r.status = 'active'`,
    tests: ['activities/outreach/rules/rules.test.ts'],
    why: 'a rule that was removed goes on tagging',
  },
  {
    file: 'db/outreach/rules/application.ts',
    from: `where r.tenant_id = any(:tenantIds) and`,
    to: `where`,
    tests: ['activities/outreach/rules/rules.test.ts'],
    why: 'the rules of one tenant tag the contacts of another',
  },
  {
    file: 'db/outreach/rules/application.ts',
    from: `status = 'active' and (expires_at is null or expires_at > :now)`,
    to: `status = 'active'`,
    tests: ['activities/outreach/rules/rules.test.ts'],
    why: 'a tag whose time is over is assigned',
  },
  {
    file: 'db/outreach/rules/application.ts',
    from: 'join removed_assignment x using (tag_id, contact_id, rule_id, cause)',
    to: 'join removed_assignment x using (tag_id, contact_id, rule_id) where false',
    tests: ['activities/outreach/rules/taken-back.test.ts'],
    why: 'a rule assigns a tag again that an operator has taken back',
  },
  {
    file: 'db/outreach/tags/expiry.ts',
    from: 'expires_at <= :now',
    to: 'expires_at < :now',
    tests: ['db/outreach/tags/expiry.test.ts'],
    why: 'a tag is valid for longer than it says',
  },
  {
    file: 'domain/contacts/list.ts',
    from: 'for (const line of others) yield* take(line);',
    to: '',
    tests: ['domain/contacts/list.test.ts'],
    why: 'a quote that does not close takes the lines below it with it',
  },
  {
    file: 'domain/contacts/list.ts',
    from: 'if (tally.given === 0 || (refuses && errors.length > 0)) throw refusal(errors, tally);',
    to: 'if (refuses && errors.length > 0) throw refusal(errors, tally);',
    tests: ['domain/contacts/list.test.ts'],
    why: 'a file without a valid line empties the list',
  },
  {
    file: 'domain/contacts/csv.ts',
    from: 'if (isEscaped(text)) return text.slice(1);',
    to: '',
    tests: ['domain/contacts/list.test.ts'],
    why: 'an id is stored with the apostrophe of the export',
  },
  {
    file: 'domain/contacts/replaced.ts',
    from: 'replacedAt !== null && now < restorableUntil(replacedAt);',
    to: 'replacedAt !== null;',
    tests: ['api/backend/routes/audiences/route.test.ts'],
    why: 'a list is put back after its thirty days',
  },
  {
    file: 'commands/outreach/erasure/profile.ts',
    from: 'await rows(transaction, deleteReplacedMember, { audienceId, contactId });',
    to: '',
    tests: ['test/erasure/erasure.test.ts'],
    why: 'an erased contact comes back with a list',
  },
];
