import '#web/api/http/compile-no-schemas.ts';
import { type RuleBody, ruleBodySchema } from '#domain/api/rules.ts';
import { matchConditionSchema } from '#domain/rules/match-condition.ts';
import { leavesOf, type PartDraft } from '#web/components/group/group-draft.ts';
import { type ComparisonDraft, type ConditionDraft, conditionOf } from './condition/condition-draft.ts';
import { bodyOf, type RuleDraft } from './rule-draft.ts';

export interface ConditionProblems {
  /** Comparisons whose value the schema rejects. */
  values: ReadonlySet<string>;
  /** The whole condition is too deep or has too many parts. */
  tooLarge: boolean;
}

/** What the server's own schema rejects in the draft. */
export function problemsOf(draft: ConditionDraft): ConditionProblems {
  const isRejected = (part: PartDraft<ComparisonDraft>) => !matchConditionSchema.safeParse(conditionOf(part)).success;
  const values = new Set(
    leavesOf(draft)
      .filter(isRejected)
      .map(({ key }) => key),
  );
  return { values, tooLarge: values.size === 0 && isRejected(draft) };
}

export type CheckedField = 'name' | 'days' | 'targetTagId';
const checkedFields: readonly CheckedField[] = ['name', 'days', 'targetTagId'];

export interface DraftCheck {
  /** Null while something needs fixing. */
  body: RuleBody | null;
  fields: ReadonlySet<CheckedField>;
  condition: ConditionProblems;
}

/** Checks a draft with the server's own schema. */
export function checkDraft(draft: RuleDraft): DraftCheck {
  const parsed = ruleBodySchema.safeParse(bodyOf(draft));
  const places = new Set(parsed.error?.issues.map(({ path }) => path[0]) ?? []);
  return {
    body: parsed.data ?? null,
    fields: new Set(checkedFields.filter((field) => places.has(field))),
    condition: problemsOf(draft.condition),
  };
}
