import { z } from 'zod';
import { type FieldErrorCode, fieldErrorCodes, refinement } from '../field-errors.ts';
import { matchConditionSchema } from '../rules/match-condition.ts';
import {
  type EventTrigger,
  eventTriggers,
  NO_RESPONSE,
  RULE_HISTORY_DAYS,
  type RuleTrigger,
  ruleTriggers,
} from '../rules/triggers.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';
import { tagSchema } from './tags.ts';

export { type EventTrigger, eventTriggers, NO_RESPONSE, RULE_HISTORY_DAYS, type RuleTrigger, ruleTriggers };
export const ruleStatuses = ['active', 'paused'] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

const writable = {
  name: label(100),
  triggerEvent: z.enum(ruleTriggers),
  matchCondition: matchConditionSchema,
  targetTagId: ownId,
  status: z.enum(ruleStatuses),
  days: z.int().min(1).max(RULE_HISTORY_DAYS).nullable(),
  campaignId: ownId.nullable(),
};

interface RuleTiming {
  triggerEvent: RuleTrigger;
  days?: number | null | undefined;
}

/** What is wrong with `days`; null where nothing is. */
export function daysError({ triggerEvent, days }: RuleTiming): FieldErrorCode | null {
  const given = days !== null && days !== undefined;
  if (triggerEvent === NO_RESPONSE) return given ? null : 'days_needed';
  return given ? 'days_unused' : null;
}

export const ruleBodySchema = z
  .object({
    ...writable,
    status: writable.status.default('active'),
    days: writable.days.optional(),
    campaignId: writable.campaignId.optional(),
  })
  .superRefine((rule, context) => {
    const code = daysError(rule);
    if (code) context.addIssue({ code: 'custom', path: ['days'], ...refinement(code, fieldErrorCodes[code]) });
  });
export type RuleBody = z.output<typeof ruleBodySchema>;

export const rulePatchSchema = z.object(writable).partial();
export type RulePatch = z.output<typeof rulePatchSchema>;

/** What a person needs to know of the tag that a rule gives. */
const targetTagSchema = tagSchema
  .pick({ serviceNumberId: true, name: true, kind: true, color: true, expiresAt: true })
  .extend({ archived: z.boolean() });

const definition = {
  name: z.string(),
  triggerEvent: z.enum(ruleTriggers),
  matchCondition: matchConditionSchema,
  targetTagId: ownId,
  targetTag: targetTagSchema,
  days: z.int().nullable(),
  campaignId: z.string().nullable(),
  campaignName: z.string().nullable(),
};

export const ruleSchema = z
  .object({
    ruleId: ownId,
    /** Counts the definitions that this rule has had. */
    version: z.int(),
    ...definition,
    status: z.enum(ruleStatuses),
    /** Contacts that this rule gave the tag to. */
    hitCount: z.int(),
    lastExecutedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SmartTagRule' });
export type Rule = z.infer<typeof ruleSchema>;

export const ruleVersionSchema = z
  .object({
    version: z.int(),
    ...definition,
    createdAt: timestamp,
    createdBy: z.string(),
    createdByName: z.string().nullable(),
  })
  .meta({ id: 'SmartTagRuleVersion' });
export type RuleVersion = z.infer<typeof ruleVersionSchema>;

export const backtestSchema = z
  .object({
    /** Events that match; for no_response_for_N_days, contacts of a send that did not respond to it. */
    events: z.int(),
    contacts: z.int(),
    contactIds: z.array(z.string()),
  })
  .meta({ id: 'Backtest' });
export type Backtest = z.infer<typeof backtestSchema>;

const ruleId = z.object({ ruleId: ownId });
const tag = 'rules';

export const ruleOperations = {
  listSmartTagRules: operation({
    method: 'get',
    path: '/smart-tag-rules',
    tag,
    summary: 'Smart tag rules, newest first',
    access: 'read',
    query: z.object({
      ...pageQuery,
      serviceNumberId: platformId.optional(),
      targetTagId: ownId.optional(),
      status: z.enum(ruleStatuses).optional(),
    }),
    status: 200,
    response: page(ruleSchema),
  }),
  createSmartTagRule: operation({
    method: 'post',
    path: '/smart-tag-rules',
    tag,
    summary: "Creates a rule that gives a tag to contacts of the tag's service number",
    access: 'write',
    body: ruleBodySchema,
    status: 201,
    response: ruleSchema,
    errors: ['invalid_content'],
  }),
  getSmartTagRule: operation({
    method: 'get',
    path: '/smart-tag-rules/{ruleId}',
    tag,
    summary: 'One rule',
    access: 'read',
    params: ruleId,
    status: 200,
    response: ruleSchema,
    errors: ['not_found'],
  }),
  updateSmartTagRule: operation({
    method: 'patch',
    path: '/smart-tag-rules/{ruleId}',
    tag,
    summary: 'Changes, pauses or resumes a rule; another definition becomes a version of its own',
    access: 'write',
    params: ruleId,
    body: rulePatchSchema,
    status: 200,
    response: ruleSchema,
    errors: ['not_found', 'invalid_content'],
  }),
  deleteSmartTagRule: operation({
    method: 'delete',
    path: '/smart-tag-rules/{ruleId}',
    tag,
    summary: 'Removes a rule; what it tagged stays tagged, and its versions stay readable',
    access: 'write',
    params: ruleId,
    status: 204,
    errors: ['not_found'],
  }),
  listSmartTagRuleVersions: operation({
    method: 'get',
    path: '/smart-tag-rules/{ruleId}/versions',
    tag,
    summary: 'Every definition that a rule has had, newest first, also of a removed rule',
    access: 'read',
    params: ruleId,
    query: z.object(pageQuery),
    status: 200,
    response: page(ruleVersionSchema),
    errors: ['not_found'],
  }),
  backtestSmartTagRule: operation({
    method: 'post',
    path: '/smart-tag-rules/{ruleId}:backtest',
    tag,
    summary: 'Whom the rule would have tagged for what happened between from and to, both included; changes nothing',
    access: 'read',
    params: ruleId,
    body: z.object({ from: timestamp, to: timestamp }),
    status: 200,
    response: backtestSchema,
    errors: ['not_found', 'invalid_content'],
  }),
};
