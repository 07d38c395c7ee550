import type { ConditionField } from '#domain/rules/condition-fields.ts';
import type { MatchCondition } from '#domain/rules/match-condition.ts';

type Value = string | number;

/** One list of a condition, with what another version took from it and added to it. */
export interface ListChange {
  field: ConditionField;
  removed: Value[];
  added: Value[];
}

interface List {
  field: ConditionField;
  values: readonly Value[];
}

function lists(part: MatchCondition): List[] {
  if ('all' in part) return part.all.flatMap(lists);
  if ('any' in part) return part.any.flatMap(lists);
  if ('not' in part) return lists(part.not);
  return part.op === 'in' ? [{ field: part.field, values: part.value }] : [];
}

/** The condition without the values of its lists. */
const form = (condition: MatchCondition): string =>
  JSON.stringify(condition, (_, part: unknown) =>
    typeof part === 'object' && part !== null && 'op' in part && part.op === 'in' ? { ...part, value: null } : part,
  );

/** By which values the lists of two conditions differ; none if anything else differs, or only an order. */
export function listChanges(before: MatchCondition, after: MatchCondition): ListChange[] {
  if (form(before) !== form(after)) return [];
  const later = lists(after);
  return lists(before).flatMap(({ field, values }, index) => {
    const others = later[index]?.values ?? [];
    const removed = values.filter((value) => !others.includes(value));
    const added = others.filter((value) => !values.includes(value));
    return removed.length + added.length > 0 ? [{ field, removed, added }] : [];
  });
}
