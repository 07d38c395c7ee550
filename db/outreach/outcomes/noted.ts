import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import { clickConditions, type ClickFilter } from '../clicks/filter.ts';

/** Recorded outcomes of contacts. */
export interface Noted {
  /** SQL: rows, each with a `contact_id`, one or more for a contact. */
  from: (filter: ClickFilter) => string;
  /** The column with their time. */
  at: string;
}

export const clicksOf = (filter: ClickFilter): string => `click_attribution
  where tenant_id = :tenantId and campaign_id = :campaignId ${clickConditions(filter)}`;

/** Outcomes that rows say of the contacts; the others follow from the sub-tasks. */
export const noted: Partial<Record<ContactOutcome, Noted>> = {
  clicked: { from: clicksOf, at: 'clicked_at' },
  conversed: {
    from: () => 'conversation where tenant_id = :tenantId and campaign_id = :campaignId',
    at: 'opened_at',
  },
  converted: {
    from: () => 'tag_assignment where tenant_id = :tenantId and source_campaign_id = :campaignId',
    at: 'assigned_at',
  },
};
