/** What conditions compare, and how; without schemas, so that pages that only show conditions stay small. */
export const textFields = [
  'bizEventCode',
  'campaignId',
  'actionType',
  'url',
  'noticeId',
  'serviceNumberId',
  'entryReasonId',
  'sourceId',
] as const;
export const numberFields = ['actionIndex', 'durationSeconds', 'messageCount'] as const;

export type TextField = (typeof textFields)[number];
export type NumberField = (typeof numberFields)[number];
export type ConditionField = TextField | NumberField;

export const textOps = ['eq', 'ne', 'prefix', 'glob'] as const;
export const numberOps = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;
/** Takes a list of values. */
export const listOp = 'in';

export type ConditionOp = (typeof textOps)[number] | (typeof numberOps)[number] | typeof listOp;

/** The maximum levels and parts of a condition. */
export const deepest = 8;
export const mostNodes = 100;

export function isNumberField(field: ConditionField): field is NumberField {
  return (numberFields as readonly string[]).includes(field);
}

/** The operators by which a field can be compared. */
export function opsOf(field: ConditionField): readonly ConditionOp[] {
  return [...(isNumberField(field) ? numberOps : textOps), listOp];
}
