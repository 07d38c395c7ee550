import type { Rule, RulePatch, RuleStatus, RuleVersion } from '#domain/api/rules.ts';
import { NO_RESPONSE, type RuleTrigger } from '#domain/rules/triggers.ts';
import { newGroup } from '#web/components/group/group-draft.ts';
import { type ConditionDraft, conditionOf, draftOf } from './condition/condition-draft.ts';

/** A rule while it is being written. */
export interface RuleDraft {
  name: string;
  triggerEvent: RuleTrigger;
  /** Empty if nothing is typed. */
  days: number | '';
  campaignId: string | null;
  condition: ConditionDraft;
  targetTagId: string | null;
  status: RuleStatus;
}

export function newDraft(targetTagId: string | null): RuleDraft {
  return {
    name: '',
    triggerEvent: 'notice.clicked',
    days: 7,
    campaignId: null,
    condition: newGroup('all'),
    targetTagId,
    status: 'active',
  };
}

export function draftOfRule({
  name,
  triggerEvent,
  days,
  campaignId,
  matchCondition,
  targetTagId,
  status,
}: Rule): RuleDraft {
  const condition = draftOf(matchCondition);
  return { name, triggerEvent, days: days ?? 7, campaignId, condition, targetTagId, status };
}

/** The request body; the schema decides whether it may be sent. */
export function bodyOf(draft: RuleDraft) {
  const { name, triggerEvent, days, campaignId, condition, targetTagId, status } = draft;
  return {
    name: name.trim(),
    triggerEvent,
    matchCondition: conditionOf(condition),
    targetTagId: targetTagId ?? '',
    status,
    days: triggerEvent === NO_RESPONSE ? days : null,
    campaignId,
  };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The changes since the rule was opened; an untouched condition stays as it is stored, whatever its form. */
export function patchOf(opened: RuleDraft, draft: RuleDraft): RulePatch {
  const before = bodyOf(opened);
  const after = bodyOf(draft);
  const changed = Object.entries(after).filter(([field, value]) => !same(value, before[field as keyof typeof before]));
  return Object.fromEntries(changed) as RulePatch;
}

/** Whether a patch makes a new version: a new name or status leaves what the rule does as it is. */
export function makesVersion({ name: _name, status: _status, ...effect }: RulePatch): boolean {
  return Object.keys(effect).length > 0;
}

export const definitionParts = ['name', 'triggerEvent', 'days', 'campaignId', 'matchCondition', 'targetTagId'] as const;
export type DefinitionPart = (typeof definitionParts)[number];

/** What a version changed from the previous one. */
export function changedParts(before: RuleVersion, after: RuleVersion): DefinitionPart[] {
  return definitionParts.filter((part) => !same(before[part], after[part]));
}
