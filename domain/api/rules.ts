import { z } from 'zod';
import { type FieldErrorCode, fieldErrorCodes, refinement } from './field-errors.ts';
import { matchConditionSchema } from '../rules/match-condition.ts';
import { NO_RESPONSE, RULE_HISTORY_DAYS, type RuleTrigger, ruleTriggers } from '../rules/triggers.ts';
import { ruleSorts } from '../lists/sorts.ts';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';
import { tagSchema } from './tags.ts';

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

/** Fault of `days`; null if none. */
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

/** What a person needs to know about the tag that a rule assigns. */
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
    etag,
    /** The version: counts the definitions of this rule. */
    version: z.int(),
    ...definition,
    status: z.enum(ruleStatuses),
    /** Contacts to which this rule assigned the tag. */
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
    /** Matching events; for no_response_for_N_days, contacts of a send that did not respond to it. */
    events: z.int(),
    contacts: z.int(),
    contactIds: z.array(z.string()),
  })
  .meta({ id: 'Backtest' });
export type Backtest = z.infer<typeof backtestSchema>;

const ruleId = z.object({ ruleId: ownId });
const tag = 'rules';

/** What a list of rules can be limited to, and its order. */
export const ruleFilter = {
  serviceNumberId: platformId.optional(),
  targetTagId: ownId.optional(),
  status: z.enum(ruleStatuses).optional(),
  /** Newest first where absent. */
  sort: z.enum(ruleSorts).optional(),
};

export const ruleOperations = {
  listSmartTagRules: operation({
    method: 'get',
    path: '/smart-tag-rules',
    tag,
    summary: 'Smart tag rules, newest first',
    access: 'read',
    query: z.object({ ...pageQuery, ...ruleFilter }),
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
    summary: 'Changes, pauses or resumes a rule; a changed definition becomes a new version',
    access: 'write',
    params: ruleId,
    headers: ifMatch,
    readOnly: ['ruleId', 'createdAt'],
    body: rulePatchSchema,
    status: 200,
    response: ruleSchema,
    errors: ['not_found', 'stale', 'invalid_content'],
  }),
  deleteSmartTagRule: operation({
    method: 'delete',
    path: '/smart-tag-rules/{ruleId}',
    tag,
    summary: 'Removes a rule; the tags it assigned stay, and its versions stay readable',
    access: 'write',
    params: ruleId,
    headers: ifMatch,
    status: 204,
    errors: ['not_found', 'stale'],
  }),
  listSmartTagRuleVersions: operation({
    method: 'get',
    path: '/smart-tag-rules/{ruleId}/versions',
    tag,
    summary: 'Every definition of a rule, newest first, even after the rule was removed',
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
    summary:
      'Whom the rule would have tagged for events between from and to, both inclusive, and the first 1,000 ids in that order; changes nothing. One at a time per tenant, for at most 50 s',
    access: 'read',
    params: ruleId,
    body: z.object({ from: timestamp, to: timestamp }),
    status: 200,
    response: backtestSchema,
    errors: ['not_found', 'invalid_content', 'too_large', 'rate_limited'],
  }),
};
