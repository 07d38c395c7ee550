import type { Database } from '#db/database.ts';
import { faultsInSegment } from '#db/outreach/audiences/segments/references.ts';
import { type AutomationRecord, type StepTiming } from '#db/outreach/automations/automations.ts';
import { unknownInTrigger } from '#db/outreach/automations/references.ts';
import type { Automation, AutomationBody, AutomationPatch } from '#domain/api/automations.ts';
import { type FieldError, invalidField, Problem } from '#domain/api/problem.ts';
import type { Variants } from '#domain/api/variants.ts';
import { choiceOf } from '#domain/campaigns/cases/cases.ts';
import { invalidChoice } from '#domain/campaigns/cases/checks.ts';
import { choiceOfVariant, type StoredVariants } from '#domain/campaigns/variants/variants.ts';

/** What people write of an automation. */
export type AutomationContent = Pick<Automation, keyof AutomationPatch>;

/** The steps of an automation, each with its messages. */
export const stepsOf = (
  record: Pick<AutomationRecord, 'timing' | 'messages' | 'messagesBy' | 'variants'>,
): AutomationContent['steps'] => record.timing.map((timing, step) => ({ ...timing, ...choiceOfVariant(record, step) }));

/** What was written of a stored automation. */
export function contentOf(record: AutomationRecord): AutomationContent {
  const { name, trigger, filter, entry, quietHours, maxPerDay, exitOn, endsAt } = record;
  const { holdoutPercent, utm, channels, revenueWindowDays, delayMinutes } = record;
  return {
    name,
    trigger,
    filter,
    delay: { minutes: delayMinutes },
    steps: stepsOf(record),
    entry,
    quietHours,
    maxPerDay,
    exitOn,
    endsAt: endsAt?.toISOString() ?? null,
    holdoutPercent,
    utm,
    channels,
    revenueWindowDays,
  };
}

/** The given steps, in full. */
export const fullSteps = (given: NonNullable<AutomationPatch['steps']>): AutomationContent['steps'] =>
  given.map((step) => ({ ...choiceOf(step), delay: step.delay ?? null, if: step.if ?? null }));

/** Quiet hours as they are stored. */
export const storedQuiet = (given: AutomationBody['quietHours']): AutomationContent['quietHours'] =>
  given === 'none' ? null : given;

/** The messages of further steps are stored as those of variants are, of which nothing is tested, and which have no cases. */
function variantsFor([, ...others]: AutomationContent['steps']): Variants | null {
  if (others.length === 0) return null;
  const stored: StoredVariants = {
    name: '0',
    sharePercent: 0,
    others: others.map((step, position) => ({ name: String(position + 1), sharePercent: 0, ...choiceOf(step) })),
    winner: { by: { type: 'clicks' }, decide: 'hand', afterHours: 1, otherwise: 'hand', minimum: 0 },
  };
  return stored as Variants;
}

/** What the campaign of an automation has of it. */
export function campaignFields(content: AutomationContent) {
  const { name, channels, steps, endsAt, holdoutPercent, utm, revenueWindowDays } = content;
  return {
    name,
    channels,
    ...choiceOf(steps[0] ?? {}),
    variants: variantsFor(steps),
    endsAt: endsAt === null ? null : new Date(endsAt),
    holdoutPercent,
    utm,
    revenueWindowDays,
  };
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** The bindings of `insertAutomation` and `updateAutomation`. */
export function automationFields({ steps, delay, ...content }: AutomationContent) {
  const timing: StepTiming[] = steps.map((step) => ({ delay: step.delay, if: step.if }));
  return {
    trigger: json(content.trigger),
    filter: json(content.filter),
    delayMinutes: delay.minutes,
    timing: json(timing),
    entry: json(content.entry),
    quietHours: json(content.quietHours),
    maxPerDay: content.maxPerDay,
    exitOn: json(content.exitOn),
  };
}

/** What the audit log keeps of an automation: all that was written, and its state. */
export const audited = (record: AutomationRecord) => ({
  ...contentOf(record),
  serviceNumberId: record.serviceNumberId,
  status: record.status,
  pauseReason: record.pauseReason,
});

function invalidSteps(steps: AutomationContent['steps'], appId: string): FieldError[] {
  return steps.flatMap(({ delay, if: condition, ...choice }, step) => [
    ...(step === 0 && delay !== null ? [invalidField('/steps/0/delay', 'of_later_steps')] : []),
    ...(step === 0 && condition !== null ? [invalidField('/steps/0/if', 'of_later_steps')] : []),
    ...(step > 0 && delay === null ? [invalidField(`/steps/${step}/delay`, 'delay_needed')] : []),
    ...invalidChoice(choice, { appId, at: `/steps/${step}` }),
  ]);
}

export function invalidAutomation(errors: FieldError[]): Problem {
  return new Problem('invalid_content', 'The automation is not valid', { errors });
}

export const endPassed = ({ endsAt }: Pick<AutomationContent, 'endsAt'>, now: Date): FieldError[] =>
  endsAt !== null && new Date(endsAt) <= now ? [invalidField('/endsAt', 'in_past')] : [];

/** Who writes content, and how it is checked. */
export interface ContentScope {
  tenantId: string;
  serviceNumberId: string;
  appId: string;
}

/**
 * Checks the named fields, all of them unless some are named.
 * @throws Problem `invalid_content` with every place that the platform, the service number or the time does not allow.
 */
export async function assertValid(
  database: Database,
  { tenantId, serviceNumberId, appId }: ContentScope,
  content: AutomationContent,
  { now, names = Object.keys(content) }: { now: Date; names?: readonly string[] },
): Promise<void> {
  const owner = { tenantId, serviceNumberId };
  const errors = names.includes('endsAt') ? endPassed(content, now) : [];
  if (names.includes('steps')) errors.push(...invalidSteps(content.steps, appId));
  if (names.includes('trigger')) errors.push(...(await unknownInTrigger(database, owner, content.trigger)));
  for (const name of ['filter', 'exitOn'] as const) {
    const segment = content[name];
    if (segment === null || !names.includes(name)) continue;
    errors.push(...(await faultsInSegment(database, { ...owner, path: `/${name}` }, segment)));
  }
  if (errors.length > 0) throw invalidAutomation(errors);
}
