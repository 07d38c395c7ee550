import type { ResultsByCase, Summary } from '#domain/api/campaign.ts';
import { casesOf, type MessageChoice, nameOfCase } from '#domain/campaigns/cases/cases.ts';
import { OTHERWISE } from '#domain/campaigns/cases/limits.ts';
import { buttonLabels, choiceOfVariant, type VariedMessages } from '#domain/campaigns/variants/variants.ts';
import { rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import { summaryOf, sumsByStatus } from './progress.ts';

/** SQL: the case of a row. What was stopped before it was drawn, or is of messages without cases, counts as `otherwise`. */
const caseOf = `coalesce(message_case, ${OTHERWISE})`;

interface CaseFigures {
  number: number;
  contacts: number;
  summary: Summary;
}

const selectSent = `
  select ${caseOf} as number, sum(s.contacts)::int as contacts, ${summaryOf} as summary
  from campaign c cross join lateral (${sumsByStatus('message_case,')}) s
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId group by 1`;

const selectSentOfStep = `
  select ${caseOf} as number, sum(contacts)::int as contacts, ${summaryOf} as summary
  from (
    select t.message_case, t.sent, t.delivered, t.failed, t.read, (
      select count(*) from automation_step a where a.sub_task_key = t.key and a.status in ('sent', 'unknown')) as contacts
    from broadcast_task t where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.variant = :step) s
  group by 1`;

/** SQL: clicks `k` of a campaign, or of a step of an automation; whose first one it is of all, and of those of the same button. */
const clicks = `
  select ${caseOf} as number, message_index, action_index, repeats,
    row_number() over (partition by contact_id order by clicked_at, event_id) = 1 as is_first,
    row_number() over (partition by contact_id, message_index, action_index order by clicked_at, event_id) = 1 as is_first_of_button
  from click_attribution
  where tenant_id = :tenantId and campaign_id = :campaignId and (:step::int is null or coalesce(arm, 0) = :step)`;

const selectClicks = `
  select number, count(*) as total, coalesce(sum(repeats), 0) as repeats, count(*) filter (where is_first) as unique_contacts
  from (${clicks}) k group by 1`;

const selectButtons = `
  select number, message_index, action_index, count(*) as clicks, count(*) filter (where is_first_of_button) as unique_contacts
  from (${clicks}) k where message_index is not null group by 1, 2, 3 order by 1, 2, 3`;

interface CaseClicks extends Omit<ResultsByCase[number]['clicks'], 'byAction'> {
  number: number;
}

type CaseButton = Omit<ResultsByCase[number]['clicks']['byAction'][number], 'label'> & { number: number };

const noClicks = { total: 0, repeats: 0, uniqueContacts: 0 };

/** The cases that there are now, and those of earlier messages that something is known of. */
function casesIn({ messagesBy }: MessageChoice, known: { number: number }[]): { number: number; values: string[] }[] {
  const now = messagesBy === null ? [] : casesOf(messagesBy);
  const numbers = new Set([...now, ...known].map(({ number }) => number));
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((number) => ({ number, values: now.find((one) => one.number === number)?.values ?? [] }));
}

/**
 * The figures of each case of a campaign, or of a step of an automation; they add up to those of the whole. Clicks are read row by
 * row. Null without cases.
 */
export async function readCases(
  transaction: Transaction,
  key: CampaignKey,
  content: VariedMessages,
  step: number | null = null,
): Promise<ResultsByCase | null> {
  const choice = choiceOfVariant(content, step);
  if (choice.messagesBy === null) return null;
  const bindings = { ...key, step };
  const sent = await rows<CaseFigures>(transaction, step === null ? selectSent : selectSentOfStep, bindings);
  const clicked = await rows<CaseClicks>(transaction, selectClicks, bindings);
  const buttons = await rows<CaseButton>(transaction, selectButtons, bindings);
  const labelOf = buttonLabels(content);
  return casesIn(choice, [...sent, ...clicked]).map(({ number, values }) => {
    const { contacts, summary } = sent.find((one) => one.number === number) ?? {
      contacts: 0,
      summary: { sent: 0, delivered: 0, failed: 0, read: 0 },
    };
    const { number: _number, ...counted } = clicked.find((one) => one.number === number) ?? { number, ...noClicks };
    const byAction = buttons
      .filter((one) => one.number === number)
      .map(({ number: messageCase, ...button }) => ({ ...button, label: labelOf({ ...button, messageCase }) }));
    return { case: nameOfCase(number), values, contacts, summary, clicks: { ...counted, byAction } };
  });
}
