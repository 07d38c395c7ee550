import { z } from 'zod';
import { auditFilter } from './audit.ts';
import { campaignContactFilter } from './campaign-contacts.ts';
import { campaignFilter } from './campaign-filter.ts';
import { contactFilter } from './contacts.ts';
import { clickFilterQuery } from './follow-ups.ts';
import { operation } from './operation.ts';
import { ownId } from './primitives.ts';
import { ruleFilter } from './rules.ts';
import { tagFilter } from './tags.ts';

/** A file of comma-separated values in UTF-8, with a byte order mark and a header line. */
const csv = { status: 200, response: z.string(), responseType: 'text/csv' } as const;

const description =
  'Streamed, page by page: rows that change while it is read may be in their old or new state. A value that a ' +
  'spreadsheet would take for a formula begins with an apostrophe.';

/** Whole lists as files; whoever may read a list may export it. */
export const exportOperations = {
  exportCampaigns: operation({
    method: 'get',
    path: '/campaigns.csv',
    tag: 'campaigns',
    summary: 'Campaigns with their figures, newest first',
    description,
    access: 'read',
    query: z.object(campaignFilter),
    ...csv,
    errors: ['rate_limited'],
  }),
  exportContacts: operation({
    method: 'get',
    path: '/contacts.csv',
    tag: 'contacts',
    summary: 'Contacts, by service number and id',
    description,
    access: 'read',
    query: z.object(contactFilter),
    ...csv,
    errors: ['rate_limited'],
  }),
  exportTags: operation({
    method: 'get',
    path: '/tags.csv',
    tag: 'tags',
    summary: 'Tags, by name; archived ones only if requested by status',
    description,
    access: 'read',
    query: z.object(tagFilter),
    ...csv,
    errors: ['rate_limited'],
  }),
  exportRules: operation({
    method: 'get',
    path: '/rules.csv',
    tag: 'rules',
    summary: 'Smart tag rules, newest first',
    description: `${description} \`matchCondition\` is JSON.`,
    access: 'read',
    query: z.object(ruleFilter),
    ...csv,
    errors: ['rate_limited'],
  }),
  exportRecipients: operation({
    method: 'get',
    path: '/campaigns/{id}/recipients.csv',
    tag: 'campaigns',
    summary: 'Everybody that a campaign was frozen for, with their newest sub-task and first click',
    description,
    access: 'read',
    params: z.object({ id: ownId }),
    ...csv,
    errors: ['not_found', 'rate_limited'],
  }),
  exportCampaignContacts: operation({
    method: 'get',
    path: '/campaigns/{id}/contacts.csv',
    tag: 'campaigns',
    summary: 'The contacts of a campaign by id, with what each did',
    description,
    access: 'read',
    params: z.object({ id: ownId }),
    query: z.object(campaignContactFilter),
    ...csv,
    errors: ['not_found', 'rate_limited'],
  }),
  exportClicks: operation({
    method: 'get',
    path: '/campaigns/{id}/clicks.csv',
    tag: 'campaigns',
    summary: 'Attributed clicks, newest first',
    description,
    access: 'read',
    params: z.object({ id: ownId }),
    query: z.object(clickFilterQuery),
    ...csv,
    errors: ['not_found', 'rate_limited'],
  }),
  exportAssignments: operation({
    method: 'get',
    path: '/tags/{tagId}/assignments.csv',
    tag: 'tags',
    summary: 'Contacts with a tag, newest first',
    description,
    access: 'read',
    params: z.object({ tagId: ownId }),
    ...csv,
    errors: ['not_found', 'rate_limited'],
  }),
  exportAudienceContacts: operation({
    method: 'get',
    path: '/audiences/{audienceId}/contacts.csv',
    tag: 'audiences',
    summary: 'Contacts that a saved audience matches now, by id, and whether each is reached',
    description,
    access: 'read',
    params: z.object({ audienceId: ownId }),
    ...csv,
    errors: ['not_found', 'invalid_content', 'rate_limited'],
  }),
  exportAuditLog: operation({
    method: 'get',
    path: '/audit-log.csv',
    tag: 'operations',
    summary: 'Who did what, newest first',
    description: `${description} \`detail\` is JSON with \`before\` and \`after\`; one that is too long for a list is left out, and \`auditId\` names the entry.`,
    access: 'read',
    query: z.object(auditFilter),
    ...csv,
    errors: ['rate_limited'],
  }),
};
