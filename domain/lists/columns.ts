import type { Campaign } from '../api/campaign.ts';
import type { Contact } from '../api/contacts.ts';
import type { Rule } from '../api/rules.ts';
import type { Tag } from '../api/tags.ts';
import type { CsvColumns } from '../csv.ts';

/** The columns of lists as files, whether the service writes them or the console writes the rows that were selected. */
export const campaignColumns: CsvColumns<Omit<Campaign, 'audience'>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  serviceNumberId: ({ serviceNumberId }) => serviceNumberId,
  status: ({ status }) => status,
  audienceCount: ({ audienceCount }) => audienceCount,
  sent: ({ summary }) => summary.sent,
  delivered: ({ summary }) => summary.delivered,
  failed: ({ summary }) => summary.failed,
  read: ({ summary }) => summary.read,
  clickedContacts: ({ clickedContacts }) => clickedContacts,
  createdAt: ({ createdAt }) => createdAt,
  createdBy: ({ createdBy }) => createdBy,
  sentAt: ({ sentAt }) => sentAt,
  confirmedBy: ({ confirmedBy }) => confirmedBy,
  finishedAt: ({ finishedAt }) => finishedAt,
  closedAt: ({ closedAt }) => closedAt,
};

export const contactColumns: CsvColumns<Contact> = {
  contactId: ({ contactId }) => contactId,
  serviceNumberId: ({ serviceNumberId }) => serviceNumberId,
  displayName: ({ displayName }) => displayName,
  channel: ({ channel }) => channel,
  language: ({ language }) => language,
  region: ({ region }) => region,
  followState: ({ followState }) => followState,
  followStateSince: ({ followStateSince }) => followStateSince,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
  reachable: ({ reachable }) => reachable,
  enteredAt: ({ enteredAt }) => enteredAt,
};

export const tagColumns: CsvColumns<Tag> = {
  tagId: ({ tagId }) => tagId,
  name: ({ name }) => name,
  serviceNumberId: ({ serviceNumberId }) => serviceNumberId,
  status: ({ status }) => status,
  kind: ({ kind }) => kind,
  expiresAt: ({ expiresAt }) => expiresAt,
  source: ({ source }) => source,
  color: ({ color }) => color,
  contactCount: ({ contactCount }) => contactCount,
  createdAt: ({ createdAt }) => createdAt,
};

export const ruleColumns: CsvColumns<Rule> = {
  ruleId: ({ ruleId }) => ruleId,
  name: ({ name }) => name,
  version: ({ version }) => version,
  status: ({ status }) => status,
  triggerEvent: ({ triggerEvent }) => triggerEvent,
  matchCondition: ({ matchCondition }) => JSON.stringify(matchCondition),
  days: ({ days }) => days,
  targetTagId: ({ targetTagId }) => targetTagId,
  targetTag: ({ targetTag }) => targetTag.name,
  campaignId: ({ campaignId }) => campaignId,
  campaignName: ({ campaignName }) => campaignName,
  hitCount: ({ hitCount }) => hitCount,
  lastExecutedAt: ({ lastExecutedAt }) => lastExecutedAt,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};
