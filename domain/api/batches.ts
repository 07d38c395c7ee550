import { z } from 'zod';
import { BATCH_LIMIT } from '../lists/batch-limit.ts';
import { operation } from './operation.ts';
import { label, ownId, platformId } from './primitives.ts';
import { problemCodeSchema } from './problem.ts';

/** `unchanged`: it was so before, for example because the request was repeated. */
export const batchOutcomes = ['done', 'unchanged', 'refused'] as const;

export const batchResultSchema = z
  .object({
    id: z.string(),
    outcome: z.enum(batchOutcomes),
    /** Why it was refused, as the request for this one alone would say; null otherwise. */
    code: problemCodeSchema.nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'BatchResult' });
export type BatchResult = z.infer<typeof batchResultSchema>;

const ids = <Id extends z.ZodType>(id: Id) => z.array(id).min(1).max(BATCH_LIMIT);

const description =
  `At most ${BATCH_LIMIT} ids, in one transaction. The response says of each id, in their order, whether it was \`done\`, ` +
  'was so before (`unchanged`), or was `refused`, and why; one that is refused does not stop the others. Repeating the ' +
  'request changes nothing more.';

const each = {
  method: 'post',
  description,
  access: 'write',
  status: 200,
  response: z.object({ items: z.array(batchResultSchema) }),
} as const;

/** What can be done with several rows of a list at once. */
export const batchOperations = {
  closeCampaigns: operation({
    ...each,
    path: '/campaigns:close',
    tag: 'campaigns',
    summary: 'Closes several campaigns: nothing more is sent for them',
    body: z.object({ campaignIds: ids(ownId) }),
  }),
  tagContacts: operation({
    ...each,
    path: '/tags/{tagId}/assignments:batch',
    tag: 'tags',
    summary: "Gives a tag to several contacts of the tag's service number",
    params: z.object({ tagId: ownId }),
    body: z.object({ contactIds: ids(platformId) }),
    errors: ['not_found', 'invalid_state'],
  }),
  archiveTags: operation({
    ...each,
    path: '/tags:archive',
    tag: 'tags',
    summary: 'Archives several tags; their assignments stay readable',
    body: z.object({ tagIds: ids(ownId) }),
  }),
  removeSmartTagRules: operation({
    ...each,
    path: '/smart-tag-rules:remove',
    tag: 'rules',
    summary: 'Removes several rules; the tags they assigned stay',
    body: z.object({ ruleIds: ids(ownId) }),
  }),
  replayInboxEvents: operation({
    ...each,
    path: '/event-inbox:replay-selected',
    tag: 'operations',
    summary: 'Has several failed or dismissed events handled again',
    body: z.object({ eventIds: ids(platformId) }),
  }),
  dismissInboxEvents: operation({
    ...each,
    path: '/event-inbox:dismiss-selected',
    tag: 'operations',
    summary: 'Puts several failed events aside, with one reason for the audit log',
    body: z.object({ eventIds: ids(platformId), reason: label(1000) }),
  }),
};
