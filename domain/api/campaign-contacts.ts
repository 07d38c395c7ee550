import { z } from 'zod';
import { contactOutcomes } from '../contacts/outcomes.ts';
import { clickSchema, subTaskStatuses } from './campaign.ts';
import { clickFilterQuery } from './follow-ups.ts';
import { operation } from './operation.ts';
import { ownId, page, pageQuery, timestamp } from './primitives.ts';

/** A contact of a campaign with its outcomes, and the row behind each. */
export const campaignContactSchema = z
  .object({
    contactId: z.string(),
    /** Null if it has none, or is unknown. */
    displayName: z.string().nullable(),
    /** The newest sub-task that the contact is in; null while the audience is being prepared, and of those held back. */
    subTask: z
      .object({
        key: z.string(),
        /** 1 for the first send. */
        send: z.int(),
        taskId: z.string().nullable(),
        status: z.enum(subTaskStatuses),
        errorCode: z.string().nullable(),
        delivered: z.boolean(),
      })
      .nullable(),
    /** Oldest first, at most 20. */
    clicks: z.array(
      clickSchema
        .pick({
          messageIndex: true,
          actionIndex: true,
          label: true,
          bizEventCode: true,
          clickedAt: true,
          repeats: true,
        })
        .extend({ eventId: z.string() }),
    ),
    /** The first conversation that the campaign led to. */
    conversation: z.object({ sessionId: z.string(), openedAt: timestamp, closedAt: timestamp.nullable() }).nullable(),
    /** Tags that rules gave because of the campaign, oldest first. */
    tags: z.array(
      z.object({
        tagId: z.string(),
        name: z.string(),
        color: z.string().nullable(),
        assignedAt: timestamp,
        ruleId: z.string().nullable(),
        ruleVersion: z.int().nullable(),
        eventId: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'CampaignContact' });
export type CampaignContact = z.infer<typeof campaignContactSchema>;

/** Those with an outcome; all to whom the campaign is sent without one. A button or an event code narrows `clicked` and `not_clicked`. */
export const campaignContactFilter = { outcome: z.enum(contactOutcomes).optional(), ...clickFilterQuery };

export const campaignContactOperations = {
  listCampaignContacts: operation({
    method: 'get',
    path: '/campaigns/{id}/contacts',
    tag: 'campaigns',
    summary: 'The contacts of a campaign by id, with what each did and why that is known',
    description:
      'A page may have fewer contacts than its limit, or none, and others after it: what few contacts did is looked for ' +
      'in 20,000 of them at a time.',
    access: 'read',
    params: z.object({ id: ownId }),
    query: z.object({ ...pageQuery, ...campaignContactFilter }),
    status: 200,
    response: page(campaignContactSchema),
    errors: ['not_found'],
  }),
};
