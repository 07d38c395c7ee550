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
  text: string;
  /** For a list. */
  values: string[];
}

export type PartDraft = GroupDraft | ComparisonDraft;

let made = 0;
const nextId = (): string => `part-${++made}`;

export const isGroup = (part: PartDraft): part is GroupDraft => 'kind' in part;

export function newComparison(field: ConditionField): ComparisonDraft {
  return { id: nextId(), field, op: opsOf(field)[0] ?? listOp, text: '', values: [] };
}

export function newGroup(kind: GroupKind, parts: PartDraft[] = []): GroupDraft {
  return { id: nextId(), kind, parts };
}

/** Keeps the value if the other field allows the same kind of comparison. */
export function withField(part: ComparisonDraft, field: ConditionField): ComparisonDraft {
  return opsOf(field).includes(part.op)
    ? { ...part, field }
    : { ...newComparison(field), id: part.id, text: part.text, values: part.values };
}

/** Keeps what is written, from one value to a list and back. */
export function withOp(part: ComparisonDraft, op: ConditionOp): ComparisonDraft {
  const { text, values } = part;
  if (op === listOp && !values.includes(text.trim())) return { ...part, op, values: writtenValues([text]) };
  if (part.op === listOp && op !== listOp && !values.includes(text.trim()))
    return { ...part, op, text: values[0] ?? '' };
  return { ...part, op };
}

function partOf(condition: MatchCondition): PartDraft {
  if ('all' in condition) return newGroup('all', condition.all.map(partOf));
  if ('any' in condition) return newGroup('any', condition.any.map(partOf));
  if ('not' in condition) {
    const inner = condition.not;
    return newGroup('none', 'any' in inner ? inner.any.map(partOf) : [partOf(inner)]);
  }
  const { field, op, value } = condition;
  const written = op === listOp ? { text: '', values: value.map(String) } : { text: String(value), values: [] };
  return { id: nextId(), field, op, ...written };
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

const separator = /[,，、\n\r]+/;

/** Each value once, taken apart at commas and lines; `whole` are stored values that stay as they are. */
export function writtenValues(texts: readonly string[], whole: ReadonlySet<string> = new Set()): string[] {
  const values = texts.flatMap((text) => (whole.has(text) ? [text] : text.split(separator).map((one) => one.trim())));
  return [...new Set(values.filter((value) => value !== ''))];
}

function comparisonOf(part: ComparisonDraft): Comparison {
  const { field, op, text, values } = part;
  const value = op === listOp ? values.map((one) => valueOf(part, one)) : valueOf(part, text);
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
