import { type FieldError, invalidField } from '#domain/api/problem.ts';
import type { Message } from '#domain/api/messages.ts';
import type { Step, StepCondition } from '#domain/api/steps.ts';
import type { CampaignContent } from '../fields.ts';
import { messagesTogether } from '../cases/cases.ts';
import { invalidChoice } from '../cases/checks.ts';
import { plannedStart } from '../times.ts';
import { messagesByPlace } from '../variants/variants.ts';
import { delayMs } from './decision.ts';

/** Whether some message before the step has a button like that; without one of the indexes, any that fits. */
function hasButton(messages: (Message | undefined)[], { messageIndex, actionIndex }: StepCondition): boolean {
  const candidates = messageIndex === undefined ? messages : [messages[messageIndex]];
  return candidates.some(
    (message) => message?.type === 'buttons' && (actionIndex === undefined || actionIndex < message.actions.length),
  );
}

const isAboutAButton = ({ messageIndex, actionIndex }: StepCondition) =>
  messageIndex !== undefined || actionIndex !== undefined;

/** The earliest time at which each step can be due. */
function earliest(content: CampaignContent, steps: Step[], now: Date): Date[] {
  let at = (plannedStart(content) ?? now).getTime();
  return steps.map(({ after }) => new Date((at += delayMs(after))));
}

/** What a draft's steps are rejected for: what the platform would, buttons that nobody has, and steps after the campaign's end. */
export function invalidSteps(content: CampaignContent, { appId, now }: { appId: string; now: Date }): FieldError[] {
  const { steps, endsAt } = content;
  if (steps === null) return [];
  const times = earliest(content, steps, now);
  return steps.flatMap((step, index) => {
    const before = index === 0 ? messagesByPlace(content) : messagesTogether(steps[index - 1] ?? {});
    const late = endsAt !== null && (times[index] ?? now) >= endsAt;
    return [
      ...(late ? [invalidField(`/steps/${index}/after`, 'after_campaign_end')] : []),
      ...(isAboutAButton(step.condition) && !hasButton(before, step.condition)
        ? [invalidField(`/steps/${index}/condition`, 'unknown_button')]
        : []),
      ...invalidChoice(step, { appId, at: `/steps/${index}` }),
    ];
  });
}
