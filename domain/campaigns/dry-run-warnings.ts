import type { AudiencePreview } from '../api/audiences.ts';
import type { DryRunWarning } from '../api/dry-run.ts';
import type { Message } from '../api/messages.ts';
import type { Schedule } from '../api/campaign.ts';
import type { Step } from '../api/steps.ts';
import type { Variants } from '../api/variants.ts';
import { type LinkingCampaign, linksAsWritten } from './links/as-written.ts';
import type { AsWritten } from './links/sent-link.ts';
import { opensConversations } from './postback.ts';
import { invalidEnd, plannedStart } from './times.ts';
import { variablesIn } from './templates/texts.ts';
import { casesOf, choiceWithPath } from './cases/cases.ts';
import { repeatedVariants } from './variants/repeated.ts';
import { allMessages, messagesWithPath, messagesPath, type VariedMessages, variantsOf } from './variants/variants.ts';

/** A send to the same contacts: when it began, or is to begin; neither is known of one that was just confirmed. */
export interface Repetition {
  name: string;
  startedAt: Date | null;
  scheduledAt: Date | null;
}

/** The content of a draft, and whom it reaches. */
export interface DryRunFacts extends VariedMessages, LinkingCampaign {
  variants: Variants | null;
  /** What follows it. */
  steps: Pick<Step, 'messages' | 'messagesBy'>[] | null;
  schedule: Schedule;
  endsAt: Date | null;
  preview: AudiencePreview;
  /** The newest recent send to exactly the same contacts, if any. */
  sameAudience: Repetition | null;
  /** How many contacts each variant would get, by its position; null without variants. */
  arms: readonly number[] | null;
  /** How many would get the messages of each case, by its number; null without cases. */
  cases: readonly number[] | null;
  appId: string;
  now: Date;
}

/** Everything that a draft may send, by the place where it is written. */
const writtenIn = ({ steps, ...content }: DryRunFacts): { path: string; messages: Message[] }[] => [
  ...messagesWithPath(content),
  ...(steps ?? []).flatMap((step, index) => choiceWithPath(step, `/steps/${index}`)),
];

function linksOf(messages: Message[], at: string): { path: string; url: string }[] {
  return messages.flatMap((message, index) => {
    const path = `${at}/${index}`;
    if (message.type === 'image' || message.type === 'file') return [{ path: `${path}/url`, url: message.url }];
    if (message.type === 'text') return [];
    const links = message.actions.flatMap((action, actionIndex) => {
      const at = `${path}/actions/${actionIndex}`;
      return [
        ...(action.type === 'Url' ? [{ path: `${at}/url`, url: action.url }] : []),
        ...(action.imageUrl === undefined ? [] : [{ path: `${at}/imageUrl`, url: action.imageUrl }]),
      ];
    });
    return message.image === undefined ? links : [{ path: `${path}/image`, url: message.image }, ...links];
  });
}

function timeWarnings({ schedule, endsAt, now }: DryRunFacts): DryRunWarning[] {
  const start = plannedStart({ schedule });
  const passed: DryRunWarning = {
    code: 'schedule_passed',
    path: '/schedule/at',
    message: 'The scheduled time has passed: as it stands, the send would be rejected',
  };
  const ended: DryRunWarning = {
    code: 'end_before_start',
    path: '/endsAt',
    message: 'The campaign ends before it starts: as it stands, the send would be rejected',
  };
  return [
    ...(start !== null && start <= now ? [passed] : []),
    ...(invalidEnd({ schedule, endsAt }, now).length > 0 ? [ended] : []),
  ];
}

function contentWarnings(content: DryRunFacts): DryRunWarning[] {
  const pending: DryRunWarning = {
    code: 'source_pending',
    message: 'A button opens a conversation: its entry source, and so its sourceId, is created only by the send',
  };
  const insecure = writtenIn(content)
    .flatMap(({ path, messages }) => linksOf(messages, path))
    .filter(({ url }) => !url.toLowerCase().startsWith('https:'));
  return [
    ...(opensConversations(allMessages(content), content.appId) ? [pending] : []),
    ...insecure.map(({ path, url }): DryRunWarning => ({
      code: 'link_without_https',
      path,
      message: `${url} is not encrypted (https)`,
    })),
  ];
}

const asWrittenBecause: Record<AsWritten, string> = {
  link_untracked: 'is sent exactly as it is written: nothing is added to it',
  link_too_long: 'is sent exactly as it is written: with its parameters it would be too long',
};

const linkWarnings = (content: DryRunFacts): DryRunWarning[] =>
  linksAsWritten(content, writtenIn(content)).map(({ path, url, why }) => ({
    code: why,
    path,
    message: `${url} ${asWrittenBecause[why]}`,
  }));

/** A variable of a template that was not filled would be sent with its braces. */
function variableWarnings(content: DryRunFacts): DryRunWarning[] {
  return writtenIn(content).flatMap(({ path, messages }) =>
    variablesIn({ campaignName: null, note: null, messages }).map((name): DryRunWarning => ({
      code: 'variable_left',
      path,
      message: `{{${name}}} is a variable without a value: it would be sent as it is written`,
    })),
  );
}

/** A test says something only if its variants differ, and each is sent to somebody. */
function variantWarnings({ arms, ...content }: DryRunFacts): DryRunWarning[] {
  const variants = variantsOf(content);
  const alike = repeatedVariants(variants).map(({ position, of }): DryRunWarning => ({
    code: 'variants_alike',
    path: messagesPath(position),
    message: `"${variants[position]?.name}" says the same as "${variants[of]?.name}"`,
  }));
  const empty = variants.flatMap(({ name }, position): DryRunWarning[] =>
    arms?.[position] !== 0
      ? []
      : [
          {
            code: 'variant_empty',
            path: messagesPath(position),
            message: `The share of "${name}" is nobody: the test would not begin`,
          },
        ],
  );
  return [...alike, ...empty];
}

/** Values may be written otherwise than profiles have them. */
const caseWarnings = ({ messagesBy, cases }: DryRunFacts): DryRunWarning[] =>
  (messagesBy ? casesOf(messagesBy) : []).flatMap(({ number, path, values }): DryRunWarning[] =>
    cases?.[number] !== 0 || values.length === 0
      ? []
      : [
          {
            code: 'case_empty',
            path: `/messagesBy${path}`,
            message: `Nobody of the audience has a value of this case: ${values.join(', ')}`,
          },
        ],
  );

function audienceWarnings({ preview, sameAudience }: DryRunFacts): DryRunWarning[] {
  const { expiredTags, unsubscribed, unreachable, controlGroup } = preview.excluded;
  const excluded = [
    ['contacts_expired_tags', expiredTags, 'match by expired tags only'],
    ['contacts_unsubscribed', unsubscribed, 'have unsubscribed'],
    ['contacts_unreachable', unreachable, 'cannot be reached'],
    ['contacts_in_control_group', controlGroup, 'are in the control group'],
  ] as const;
  const empty: DryRunWarning = {
    code: 'audience_empty',
    path: '/audience',
    message: 'The audience reaches nobody: as it stands, the send would be rejected',
  };
  return [
    ...(preview.reachableCount === 0 ? [empty] : []),
    ...excluded.flatMap(([code, contacts, what]): DryRunWarning[] =>
      contacts === 0 ? [] : [{ code, path: '/audience', message: `${contacts} contacts ${what}`, contacts }],
    ),
    ...(sameAudience === null ? [] : [repetition(sameAudience, preview.reachableCount)]),
  ];
}

function repetition({ name, startedAt, scheduledAt }: Repetition, contacts: number): DryRunWarning {
  const path = '/audience';
  if (startedAt === null && scheduledAt !== null) {
    const message = `"${name}" is scheduled for exactly these contacts at ${scheduledAt.toISOString()}`;
    return { code: 'same_audience', path, message, contacts };
  }
  const message =
    startedAt === null
      ? `"${name}" is about to go to exactly these contacts`
      : `"${name}" went to exactly these contacts at ${startedAt.toISOString()}`;
  return { code: 'same_audience', path, message, contacts };
}

/** What an operator should know before sending, in the order of the steps: content, audience, schedule. */
export function dryRunWarnings(facts: DryRunFacts): DryRunWarning[] {
  return [
    ...contentWarnings(facts),
    ...linkWarnings(facts),
    ...variableWarnings(facts),
    ...variantWarnings(facts),
    ...caseWarnings(facts),
    ...audienceWarnings(facts),
    ...timeWarnings(facts),
  ];
}
