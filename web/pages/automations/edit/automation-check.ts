import type { z } from 'zod';
import '#web/api/http/compile-no-schemas.ts';
import { type AutomationPatch, automationBodySchema } from '#domain/api/automations.ts';
import { LONGEST_DELAY_MINUTES } from '#domain/automations/limits.ts';
import { problemsOf } from '#web/pages/audiences/segment/segment-check.ts';
import type { SegmentDraft } from '#web/pages/audiences/segment/segment-draft.ts';
import { brokenExtrasOf, caseIssues, keyOf, sameValues, valueAt } from '#web/pages/campaigns/editor/draft/checks.ts';
import type { Draft, PlacedIssue } from '#web/pages/campaigns/editor/draft/draft.ts';
import { partsIn } from '#web/pages/campaigns/editor/draft/variant-list.ts';
import type { Utm } from '#domain/campaigns/templates/utm.ts';
import { type AutomationDraft, bodyOf, stepsIn } from './automation-draft.ts';

export interface AutomationCheck {
  /** As typed, whether valid or not. */
  written: Record<string, unknown>;
  /** Null while something needs fixing. */
  body: AutomationPatch | null;
  issues: PlacedIssue[];
}

const schema = automationBodySchema.omit({ serviceNumberId: true });

type Words = Pick<PlacedIssue, 'key' | 'max'>;

/** What is said of numbers, and of what one field stands for as a whole; the end of their place. */
const words: readonly [at: RegExp, words: Words][] = [
  [/^(steps\/\d+\/)?delay\/minutes$/, { key: 'delay', max: LONGEST_DELAY_MINUTES / 1440 }],
  [/^trigger\/offsetDays$/, { key: 'wholeNumber', max: 366 }],
  [/^trigger\/actionIndex$/, { key: 'wholeNumber', max: 10 }],
  [/^trigger\/minMessages$/, { key: 'wholeNumber', max: 1_000_000 }],
  [/^trigger\/minAmount$/, { key: 'amount' }],
  [/^maxPerDay$/, { key: 'wholeNumber', max: 1_000_000 }],
  [/^entry\b/, { key: 'wholeNumber', max: 366 }],
  [/^holdoutPercent$/, { key: 'percent' }],
  [/^revenueWindowDays$/, { key: 'days' }],
  [/^endsAt$/, { key: 'dateTime' }],
];

function issuesOf(issue: z.core.$ZodIssue, written: unknown): PlacedIssue[] {
  const at = issue.path.join('/');
  const own = words.find(([place]) => place.test(at))?.[1];
  if (own) return [{ at, ...own }];
  const [steps, step, field, ...within] = issue.path;
  if (steps !== 'steps' || field !== 'messagesBy') return [{ at, ...keyOf(issue, valueAt(written, issue.path)) }];
  const found = caseIssues([{ ...issue, path: within }], valueAt(written, issue.path.slice(0, 3)));
  return found.map((one) => ({ ...one, at: `steps/${String(step)}/${one.at}` }));
}

/** What the schema does not say of the messages of a step. */
function messageIssues(campaign: Draft, step: number): PlacedIssue[] {
  const parts = campaign.cases ? partsIn(campaign) : [{ cards: campaign.cards, place: 'messages' }];
  const found = [...parts.flatMap(({ cards, place }) => brokenExtrasOf(cards, place)), ...sameValues(campaign)];
  return found.map((issue) => ({ ...issue, at: `steps/${step}/${issue.at}` }));
}

/** What the schema of the whole does not say: how often, and what it leaves to the service. */
function segmentIssues({ filter, exitOn, trigger }: AutomationDraft): PlacedIssue[] {
  const isRejected = (segment: SegmentDraft) => {
    const { leaves, whole } = problemsOf(segment);
    return leaves.size > 0 || whole;
  };
  const segments: [string, SegmentDraft | null][] = [
    ['filter', filter],
    ['exitOn', exitOn],
    ['trigger/segment', trigger.event === 'segment.entered' ? trigger.segment : null],
  ];
  return segments.flatMap(([at, segment]) => (segment && isRejected(segment) ? [{ at, key: 'invalid' as const }] : []));
}

/** Checks the whole form with the API's own schema. */
export function checkAutomation(draft: AutomationDraft, usualUtm: Utm | null): AutomationCheck {
  const written = bodyOf(draft, usualUtm);
  const parsed = schema.safeParse(written);
  const issues = [
    ...(parsed.error?.issues ?? [])
      .flatMap((issue) => issuesOf(issue, written))
      .filter(({ at }) => !/^(filter|exitOn|trigger\/segment)\b/.test(at)),
    ...segmentIssues(draft),
    ...stepsIn(draft).flatMap(messageIssues),
  ];
  return { written, body: parsed.success && issues.length === 0 ? (written as AutomationPatch) : null, issues };
}
