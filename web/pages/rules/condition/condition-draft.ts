import { type ConditionField, type ConditionOp, isNumberField, listOp, opsOf } from '#domain/rules/condition-fields.ts';
import type { Comparison, MatchCondition } from '#domain/rules/match-condition.ts';
import {
  type GroupDraft,
  isGroup,
  type Keyed,
  nextKey,
  type PartDraft,
  readTree,
  writeTree,
} from '#web/components/group/group-draft.ts';

/** A condition while it is being written: values are text as typed. */
export interface ComparisonDraft extends Keyed {
  field: ConditionField;
  op: ConditionOp;
  text: string;
  /** For a list. */
  values: string[];
}

export type ConditionDraft = GroupDraft<ComparisonDraft>;

export function newComparison(field: ConditionField): ComparisonDraft {
  return { key: nextKey(), field, op: opsOf(field)[0] ?? listOp, text: '', values: [] };
}

/** Keeps the value if the other field allows the same kind of comparison. */
export function withField(part: ComparisonDraft, field: ConditionField): ComparisonDraft {
  return opsOf(field).includes(part.op)
    ? { ...part, field }
    : { ...newComparison(field), key: part.key, text: part.text, values: part.values };
}

/** Keeps what is written, from one value to a list and back. */
export function withOp(part: ComparisonDraft, op: ConditionOp): ComparisonDraft {
  const { text, values } = part;
  if (op === listOp && !values.includes(text.trim())) return { ...part, op, values: writtenValues([text]) };
  if (part.op === listOp && op !== listOp && !values.includes(text.trim()))
    return { ...part, op, text: values[0] ?? '' };
  return { ...part, op };
}

function comparisonDraftOf({ field, op, value }: Comparison): ComparisonDraft {
  const written = op === listOp ? { text: '', values: value.map(String) } : { text: String(value), values: [] };
  return { key: nextKey(), field, op, ...written };
}

/** A stored condition as a draft. */
export const draftOf = (condition: MatchCondition): ConditionDraft =>
  readTree<Comparison, ComparisonDraft>(condition, { leaf: comparisonDraftOf });

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
export const conditionOf = (part: PartDraft<ComparisonDraft>): MatchCondition =>
  writeTree<Comparison, ComparisonDraft>(part, {
    leaf: comparisonOf,
    // A group keeps its `any`, so that it is read back as it was written.
    standsAlone: (only) => !(isGroup(only) && only.kind === 'any'),
  });
