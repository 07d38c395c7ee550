import { etagOf } from '#domain/api/if-match.ts';
import type { Rule, RuleVersion } from '#domain/api/rules.ts';
import type { RuleVersionRecord } from '#db/outreach/rules/lists.ts';
import type { RuleRecord } from '#db/outreach/rules/rules.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';

export function presentRule({ revision, ...row }: RuleRecord): Rule {
  return { ...withIsoTimes(row), etag: etagOf(revision) };
}

export function presentRuleVersion(row: RuleVersionRecord): RuleVersion {
  return withIsoTimes(row);
}
