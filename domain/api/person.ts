import { z } from 'zod';
import { operation } from './operation.ts';
import { label, platformId, timestamp } from './primitives.ts';

const params = z.object({ snId: platformId, contactId: platformId });

const rows = z.array(z.record(z.string(), z.unknown()));

/** Everything stored about one person, across the tenant's service numbers. */
export const contactExportSchema = z
  .object({
    contactId: z.string(),
    exportedAt: timestamp,
    /** What the platform reported, by service number. */
    profiles: rows,
    /** Earlier reports that have changed since. */
    formerProfiles: rows,
    /** Following and leaving, and changes of what the contact wants to receive. */
    timeline: rows,
    /** Each with its origin. */
    tags: rows,
    /** Tags that were taken back, and when the contact had them. */
    formerTags: rows,
    /** Causes for which the contact may have entered automations, and what became of each. */
    automationEntries: rows,
    automationSteps: rows,
    /** Automations whose segment the contact was in when they last looked. */
    automationSegments: rows,
    /** Tags that an operator took back. */
    removedTags: rows,
    /** Saved lists with the contact. */
    lists: rows,
    /** Lists that a file has replaced, with the contact, as long as they can be put back. */
    replacedLists: rows,
    /** Settings that name the contact as one that test sends may reach. */
    testContacts: rows,
    /** Campaigns that list the contact themselves. */
    campaigns: rows,
    /** Snapshots with the contact, each with the newest state of its sub-task. */
    recipients: rows,
    /** Sends that held the contact back as one of a control group. */
    controlGroups: rows,
    /** What the platform said about sub-tasks, where it names the contact. */
    subTasks: rows,
    /** Sends whose preparation has come as far as this contact. */
    preparations: rows,
    /** Differences between a dry run and its send. */
    audienceChanges: rows,
    dryRuns: rows,
    clicks: rows,
    conversations: rows,
    /** What orders that name the contact were paid and refunded. */
    payments: rows,
    /** Events with their data, those about others that name the contact included. */
    events: rows,
    /** Events for the tenant's webhook, with what they say about the contact. */
    webhookEvents: rows,
    /** Entries of the audit log that name the contact, without other contacts. */
    auditEntries: rows,
  })
  .meta({ id: 'ContactExport' });
export type ContactExport = z.infer<typeof contactExportSchema>;

export const erasureSchema = z
  .object({
    /** The object of its entry in the audit log. */
    erasureId: z.string(),
    /** False if the erasure takes longer than a caller waits; it continues in the background. */
    finished: z.boolean(),
  })
  .meta({ id: 'Erasure' });

/** What data protection grants a person. Only an administrator may. */
export const personOperations = {
  exportContact: operation({
    method: 'get',
    path: '/contacts/{snId}/{contactId}/export',
    tag: 'contacts',
    summary: 'Everything that is stored about one contact',
    description:
      'Streamed. A contact is one person in all service numbers of the tenant, so all of them are included. Rows ' +
      'that change while it is read may be in their old or new state.',
    access: 'admin',
    params,
    status: 200,
    response: contactExportSchema,
    responseType: 'application/json',
    errors: ['not_found', 'rate_limited'],
  }),
  eraseContact: operation({
    method: 'post',
    path: '/contacts/{snId}/{contactId}:erase',
    tag: 'contacts',
    summary: 'Erases one contact, in all service numbers of the tenant',
    description:
      'Profile, attributes, tags, list memberships and payloads are deleted. Clicks, conversations and snapshots stay ' +
      'under a random pseudonym, so that no figure changes. What has not been submitted to the platform yet is not sent ' +
      'to the contact. Events that occurred before are ignored from now on, however late they arrive; a later event ' +
      'begins a new profile. It cannot be undone. Repeating a call that failed continues it.',
    access: 'admin',
    params,
    /** Why, for the audit log, which does not name the contact. */
    body: z.object({ reason: label(1000) }),
    status: 200,
    response: erasureSchema,
    errors: ['not_found'],
  }),
};
