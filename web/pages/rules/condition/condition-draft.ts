import {
  type ConditionField,
  type ConditionOp,
  isNumberField,
  listOp,
  opsOf,
} from '../../../../domain/rules/condition-fields.ts';
import type { Comparison, MatchCondition } from '../../../../domain/rules/match-condition.ts';

/** `none` is `{not: {any: […]}}`, or `{not: …}` of its only part. */
export const groupKinds = ['all', 'any', 'none'] as const;
export type GroupKind = (typeof groupKinds)[number];

/** A condition while it is being written: values are text as typed, and every part has an identity. */
export interface GroupDraft {
  id: string;
  kind: GroupKind;
  parts: PartDraft[];
}

export interface ComparisonDraft {
  id: string;
  field: ConditionField;
  op: ConditionOp;
  /** For a list, one value per line. */
  text: string;
}

export type PartDraft = GroupDraft | ComparisonDraft;

let made = 0;
const nextId = (): string => `part-${++made}`;

export const isGroup = (part: PartDraft): part is GroupDraft => 'kind' in part;

export function newComparison(field: ConditionField): ComparisonDraft {
  return { id: nextId(), field, op: opsOf(field)[0] ?? listOp, text: '' };
}

export function newGroup(kind: GroupKind, parts: PartDraft[] = []): GroupDraft {
  return { id: nextId(), kind, parts };
}

/** Keeps the value if the other field allows the same kind of comparison. */
export function withField(part: ComparisonDraft, field: ConditionField): ComparisonDraft {
  return opsOf(field).includes(part.op)
    ? { ...part, field }
    : { ...newComparison(field), id: part.id, text: part.text };
}

function partOf(condition: MatchCondition): PartDraft {
  if ('all' in condition) return newGroup('all', condition.all.map(partOf));
  if ('any' in condition) return newGroup('any', condition.any.map(partOf));
  if ('not' in condition) {
    const inner = condition.not;
    return newGroup('none', 'any' in inner ? inner.any.map(partOf) : [partOf(inner)]);
  }
  const { field, op, value } = condition;
  return { id: nextId(), field, op, text: op === listOp ? value.join('\n') : String(value) };
}

/** A stored condition as a draft; a lone comparison gets a group around it. */
export function draftOf(condition: MatchCondition): GroupDraft {
  const part = partOf(condition);
  return isGroup(part) ? part : newGroup('all', [part]);
}

/** As written: text that is not a number stays text, so that the schema rejects it. */
function valueOf({ field }: ComparisonDraft, text: string): string | number {
  const written = text.trim();
  return isNumberField(field) && written !== '' && Number.isFinite(Number(written)) ? Number(written) : text;
}

const lines = (text: string) => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

function comparisonOf(part: ComparisonDraft): Comparison {
  const { field, op, text } = part;
  const value = op === listOp ? lines(text).map((line) => valueOf(part, line)) : valueOf(part, text);
  // The schema reports anything that does not fit.
  return { field, op, value } as Comparison;
}

/** The condition of the draft; rule-check.ts decides whether the server would accept it. */
export function conditionOf(part: PartDraft): MatchCondition {
  if (!isGroup(part)) return comparisonOf(part);
  const parts = part.parts.map(conditionOf);
  if (part.kind === 'all') return { all: parts };
  if (part.kind === 'any') return { any: parts };
  const [only] = parts;
  // A group keeps its `any`, so that it is read back as it was written.
  return { not: parts.length === 1 && only !== undefined && !('any' in only) ? only : { any: parts } };
}
