import { z } from 'zod';
import { text } from '../api/primitives.ts';
import { refinement } from '../api/field-errors.ts';
import { isBoundedTree } from './bounded-tree.ts';
import {
  deepest,
  listOp,
  mostNodes,
  type NumberField,
  numberFields,
  numberOps,
  type TextField,
  textFields,
  textOps,
} from './condition-fields.ts';
import { normalForm } from '../campaigns/links/clicked.ts';
import { matchesGlob } from './glob.ts';

/** The fields of an event; a field that it does not have is null or absent. */
export type EventFacts = { [Field in TextField]?: string | null } & { [Field in NumberField]?: number | null };

/** Patterns, lists and the whole condition are bounded, so that a rule costs an event some milliseconds at most. */
const longestText = 500;
const longestList = 200;

const shortText = text(longestText);
const number = z.number();

const comparisons = [
  z.strictObject({ field: z.enum(textFields), op: z.enum(textOps), value: shortText }),
  z.strictObject({ field: z.enum(textFields), op: z.literal(listOp), value: z.array(shortText).max(longestList) }),
  z.strictObject({
    field: z.enum(numberFields),
    op: z.enum(numberOps),
    value: number,
  }),
  z.strictObject({ field: z.enum(numberFields), op: z.literal(listOp), value: z.array(number).max(longestList) }),
] as const;

export type Comparison = z.infer<(typeof comparisons)[number]>;
export type MatchCondition =
  { all: MatchCondition[] } | { any: MatchCondition[] } | { not: MatchCondition } | Comparison;

const condition: z.ZodType<MatchCondition> = z
  .lazy(() =>
    z.union([
      z.strictObject({ all: z.array(condition).max(mostNodes) }),
      z.strictObject({ any: z.array(condition).max(mostNodes) }),
      z.strictObject({ not: condition }),
      ...comparisons,
    ]),
  )
  .meta({ id: 'MatchCondition' });

/**
 * `{all}`, `{any}`, `{not}` or a comparison of one field, at most 8 levels and 100 parts. `{all: []}` matches every event.
 */
export const matchConditionSchema = z.preprocess((value, context) => {
  if (isBoundedTree(value, { levels: deepest, nodes: mostNodes })) return value;
  context.addIssue({
    code: 'custom',
    ...refinement('too_deep', `must have at most ${deepest} levels and ${mostNodes} parts`),
  });
  return z.NEVER;
}, condition);

/** The normal form of an event's address, made once for all conditions that it is compared with. */
const normalForms = new WeakMap<EventFacts, string>();

function normalUrl(url: string, facts: EventFacts): string {
  const known = normalForms.get(facts) ?? normalForm(url);
  normalForms.set(facts, known);
  return known;
}

/** Compares a field with a value. One that the event does not have equals nothing: only `ne` holds for it. */
function compares(comparison: Comparison, facts: EventFacts): boolean {
  const { field, op, value } = comparison;
  const found = facts[field] ?? null;
  if (op === 'ne') return !compares({ field, op: 'eq', value } as Comparison, facts);
  if (found === null) return false;
  if (field !== 'url' || typeof found !== 'string') return holds(comparison, found);
  // Written one way, an address may be reported, and copied into a rule, in another.
  const normal = normalUrl(found, facts);
  return holds(comparison, found) || (normal !== found && holds(comparison, normal));
}

function holds({ op, value }: Comparison, found: string | number): boolean {
  if (op === 'eq') return found === value;
  if (op === 'in') return (value as unknown[]).includes(found);
  if (typeof found === 'number') {
    if (op === 'lt') return found < value;
    if (op === 'lte') return found <= value;
    if (op === 'gt') return found > value;
    return op === 'gte' && found >= value;
  }
  return op === 'prefix' ? found.startsWith(value) : op === 'glob' && matchesGlob(value, found);
}

/** The fields that the condition compares. */
export function fieldsOf(condition: MatchCondition): ReadonlySet<Comparison['field']> {
  if ('all' in condition) return new Set(condition.all.flatMap((part) => [...fieldsOf(part)]));
  if ('any' in condition) return new Set(condition.any.flatMap((part) => [...fieldsOf(part)]));
  if ('not' in condition) return fieldsOf(condition.not);
  return new Set([condition.field]);
}

/** How long the patterns of a condition are together, which is what an event costs to compare with it. */
export function patternLength(condition: MatchCondition): number {
  if ('all' in condition) return condition.all.reduce((sum, part) => sum + patternLength(part), 0);
  if ('any' in condition) return condition.any.reduce((sum, part) => sum + patternLength(part), 0);
  if ('not' in condition) return patternLength(condition.not);
  return condition.op === 'glob' ? String(condition.value).length : 0;
}

/**
 * Whether the event matches the condition. Texts are compared exactly, including case; an address also in its normal form.
 */
export function matches(condition: MatchCondition, facts: EventFacts): boolean {
  if ('all' in condition) return condition.all.every((part) => matches(part, facts));
  if ('any' in condition) return condition.any.some((part) => matches(part, facts));
  if ('not' in condition) return !matches(condition.not, facts);
  return compares(condition, facts);
}
