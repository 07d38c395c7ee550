import { z } from 'zod';
import { audiencePreviewSchema } from './audiences.ts';
import { subTaskStatuses } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';

/** One send of a campaign, with the audience frozen for it. */
export const dispatchSchema = z
  .object({
    /** The parentTaskId of its sub-tasks, if there are several. */
    dispatchId: z.string(),
    /** 1 for the first send. */
    number: z.int(),
    /** The first send, if this one resends a part of it. */
    retryOf: z.string().nullable(),
    scheduledAt: timestamp.nullable(),
    /** Those it was to be sent to. */
    audienceCount: z.int(),
    /** Those held back as a control group. */
    controlCount: z.int(),
    /** The same for equal sets of contacts; null while the audience is being prepared. */
    audienceHash: z.string().nullable(),
    excluded: audiencePreviewSchema.shape.excluded,
    subTasks: z.int(),
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'Dispatch' });
export type Dispatch = z.infer<typeof dispatchSchema>;

/**
 * Whether a contact is in the frozen audience: one entry per send that includes it, none if there is no such
 * send.
 */
export const recipientSchema = z
  .object({
    contactId: z.string(),
    /** The campaign holds the contact back as one of its control group. */
    isControl: z.boolean(),
    sends: z.array(
      z.object({
        number: z.int(),
        sentAt: timestamp,
        subTaskKey: z.string(),
        taskId: z.string().nullable(),
        status: z.enum(subTaskStatuses),
      }),
    ),
  })
  .meta({ id: 'Recipient' });
export type Recipient = z.infer<typeof recipientSchema>;

/** A contact of a sub-task; its name is null if it has none, or is unknown. */
export const subTaskContactSchema = z
  .object({ contactId: z.string(), displayName: z.string().nullable() })
  .meta({ id: 'SubTaskContact' });

const contacts = z.int().nullable();

/**
 * The number of contacts that each action would affect now; null if it is not possible now. `edit` changes what a
 * scheduled campaign will send, or when.
 */
export const possibleActionsSchema = z
  .object({ edit: contacts, pause: contacts, resume: contacts, cancel: contacts, close: contacts, retry: contacts })
  .meta({ id: 'PossibleActions' });
export type PossibleActions = z.infer<typeof possibleActionsSchema>;

const id = z.object({ id: ownId });
const tag = 'campaigns';

export const campaignSnapshotOperations = {
  getPossibleActions: operation({
    method: 'get',
    path: '/campaigns/{id}/actions',
    tag,
    summary: 'What can be done with a campaign now, and how many contacts it would affect',
    access: 'read',
    params: id,
    status: 200,
    response: possibleActionsSchema,
    errors: ['not_found'],
  }),
  listDispatches: operation({
    method: 'get',
    path: '/campaigns/{id}/dispatches',
    tag,
    summary: 'Sends of a campaign with their frozen audiences, oldest first',
    access: 'read',
    params: id,
    query: z.object(pageQuery),
    status: 200,
    response: page(dispatchSchema),
    errors: ['not_found'],
  }),
  listSubTaskContacts: operation({
    method: 'get',
    path: '/campaigns/{id}/tasks/{key}/contacts',
    tag,
    summary: 'The contacts frozen for a sub-task, by id',
    description: 'Of a rejected sub-task these are the contacts that the platform named, or all that it refused.',
    access: 'read',
    params: id.extend({ key: platformId }),
    query: z.object(pageQuery),
    status: 200,
    response: page(subTaskContactSchema),
    errors: ['not_found'],
  }),
  getRecipient: operation({
    method: 'get',
    path: '/campaigns/{id}/recipients/{contactId}',
    tag,
    summary: 'Whether a contact was in the frozen audience, and the outcome of its sub-tasks',
    access: 'read',
    params: id.extend({ contactId: platformId }),
    status: 200,
    response: recipientSchema,
    errors: ['not_found'],
  }),
};
