import { z } from 'zod';
import { refinement } from './field-errors.ts';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';
import { segmentSchema } from './segments.ts';

export const tagOperators = ['AND', 'OR'] as const;

const tagIds = z.array(ownId).min(1).max(100);
const contactIds = z.array(platformId).max(100_000);

/** Room for that many ids of 80 bytes each; longer lists are uploaded as CSV. */
export const INLINE_LIST_BYTES = 8 * 1_048_576;

/** A sample of those whom an audience reaches: about so many of a hundred, or exactly so many unless there are fewer. */
export const takeSchema = z.union([
  z.strictObject({ percent: z.int().min(1).max(99) }),
  z.strictObject({ atMost: z.int().min(1).max(1_000_000_000) }),
]);
export type Take = z.infer<typeof takeSchema>;

/** Drawn when the audience is frozen, by a hash under a key of the campaign: a copy draws anew. */
const take = takeSchema.optional();

const appTags = z.object({
  type: z.literal('app_tags'),
  appTagIds: tagIds,
  tagOperator: z.enum(tagOperators),
  excludeTagIds: z.array(ownId).max(100).optional(),
  take,
});

/** Inline ids or a saved list: exactly one of the two. */
const contacts = z
  .object({ type: z.literal('contacts'), contactIds: contactIds.optional(), audienceId: ownId.optional(), take })
  .refine(
    (value) => (value.contactIds === undefined) !== (value.audienceId === undefined),
    refinement('list_or_ids', 'needs either contactIds or audienceId'),
  );

/** Known contacts by what they did and are. A tag that has expired is on nobody. */
const segments = z.object({ type: z.literal('segment'), segment: segmentSchema, take });

/** Well-formed, but rejected by a rule until Phase 2 (422). */
const aiQuery = z.looseObject({ type: z.literal('ai_query') });

/** Who receives a campaign. */
export const audienceSchema = z.discriminatedUnion('type', [contacts, appTags, segments, aiQuery]);
export type Audience = z.infer<typeof audienceSchema>;

/** The same in a list of campaigns, where inline ids are only counted: they may be megabytes. */
export const listedAudienceSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('contacts'), audienceId: ownId.optional(), contactCount: z.int().optional(), take }),
  appTags,
  segments,
  aiQuery,
]);
export type ListedAudience = z.infer<typeof listedAudienceSchema>;

export const audiencePreviewSchema = z
  .object({
    hitCount: z.int(),
    reachableCount: z.int(),
    excluded: z.object({
      expiredTags: z.int(),
      unsubscribed: z.int(),
      unreachable: z.int(),
      /** In the tenant's control group. */
      controlGroup: z.int(),
    }),
    /** With `take`: how many of those reachable would be taken; of a percentage, about how many. */
    takenCount: z.int().optional(),
    /**
     * Of a segment: how many contacts each of its parts matches by itself, reached or not. Paths are JSON pointers into
     * the segment; that of the whole is empty.
     */
    parts: z.array(z.object({ path: z.string(), hitCount: z.int() })).optional(),
  })
  .meta({ id: 'AudiencePreview' });
export type AudiencePreview = z.infer<typeof audiencePreviewSchema>;

/** Whether a contact matched by an audience is reached, and if not, the first reason that applies. */
export const contactReaches = ['reachable', 'expiredTags', 'unsubscribed', 'unreachable', 'controlGroup'] as const;
export type ContactReach = (typeof contactReaches)[number];

export const audienceContactSchema = z
  .object({
    contactId: z.string(),
    /** Null if the contact has none, or is unknown. */
    displayName: z.string().nullable(),
    /** Whether the service number has this contact. */
    known: z.boolean(),
    reach: z.enum(contactReaches),
  })
  .meta({ id: 'AudienceContact' });
export type AudienceContact = z.infer<typeof audienceContactSchema>;

const savedBody = z.object({
  name: label(200),
  serviceNumberId: platformId,
  type: z.enum(['contacts', 'app_tags', 'segment', 'ai_query']),
  contactIds: contactIds.optional(),
  appTagIds: tagIds.optional(),
  tagOperator: z.enum(tagOperators).optional(),
  excludeTagIds: z.array(ownId).max(100).optional(),
  segment: segmentSchema.optional(),
  /** Of a filter of tags or a segment only: for campaigns that name it and say nothing else. */
  take: takeSchema.nullable().optional(),
});

/** What a saved audience can be. */
export const savedTypes = ['contacts', 'app_tags', 'segment'] as const;

export const savedAudienceSchema = z
  .object({
    audienceId: ownId,
    etag,
    name: z.string(),
    serviceNumberId: z.string(),
    type: z.enum(savedTypes),
    appTagIds: z.array(z.string()),
    tagOperator: z.enum(tagOperators).nullable(),
    excludeTagIds: z.array(z.string()),
    /** Of type `segment` only. */
    segment: segmentSchema.optional(),
    take: takeSchema.nullable(),
    memberCount: z.int(),
    /** False while the list is being filled with contacts of a campaign. */
    isComplete: z.boolean(),
    /** Until when the list that a file replaced can be put back; null if none was replaced. */
    restorableUntil: timestamp.nullable(),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Audience' });
export type SavedAudience = z.infer<typeof savedAudienceSchema>;

/** What conditions rest on. */
export const factKinds = ['tag', 'inList', 'reached', 'clicked', 'conversed', 'entered', 'profile'] as const;

const audienceFactSchema = z
  .object({
    kind: z.enum(factKinds),
    /** Whether it makes its condition hold, at the time that was asked for. */
    counts: z.boolean(),
    /** When the tag was given, the sub-task ended, the contact entered, clicked or opened the conversation; since when the value is there. */
    at: timestamp.nullable(),
    /** When the tag was taken back or expired, or the value changed; null if neither did. */
    until: timestamp.nullable(),
    /** From when on it was known, where that may be later than it occurred. */
    knownAt: timestamp.nullable(),
    /** Of the tag, the list, the campaign or the field. */
    name: z.string().nullable(),
    /** The button's label, the sub-task's status, the field's value. */
    value: z.string().nullable(),
  })
  .meta({ id: 'AudienceFact' });
export type AudienceFact = z.infer<typeof audienceFactSchema>;

export const audienceExplanationSchema = z
  .object({
    contactId: z.string(),
    asOf: timestamp,
    /** Whether the service number knew the contact. */
    known: z.boolean(),
    /** Whether the audience had the contact, reached or not. A tag that had expired is on nobody. */
    matches: z.boolean(),
    /** Null if the contact was not in the audience. */
    reach: z.enum(contactReaches).nullable(),
    /** The audience as a segment; null for a list. */
    segment: segmentSchema.nullable(),
    /** Each part of the segment, whether it held, and of a condition at most three facts, those that counted first. */
    parts: z.array(z.object({ path: z.string(), holds: z.boolean(), facts: z.array(audienceFactSchema) })),
  })
  .meta({ id: 'AudienceExplanation' });
export type AudienceExplanation = z.infer<typeof audienceExplanationSchema>;

const audienceId = z.object({ audienceId: ownId });
const tag = 'audiences';

export const audienceOperations = {
  previewAudience: operation({
    method: 'post',
    path: '/audiences:preview',
    tag,
    summary:
      'Counts whom an audience reaches now, or would have reached at an earlier time, and why the others are not reached',
    access: 'read',
    body: z.object({
      serviceNumberId: platformId,
      audience: audienceSchema,
      /** As far back as what contacts did is kept; now where absent. */
      asOf: timestamp.optional(),
    }),
    example: { serviceNumberId: 'sn-harbor', audience: { type: 'contacts', contactIds: ['sn-harbor-000001'] } },
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 200,
    response: audiencePreviewSchema,
    errors: ['invalid_content', 'rate_limited'],
  }),
  explainAudience: operation({
    method: 'post',
    path: '/audiences:explain',
    tag,
    summary: 'Whether an audience has one contact, now or at an earlier time, and why or why not',
    access: 'read',
    body: z.object({
      serviceNumberId: platformId,
      audience: audienceSchema,
      contactId: platformId,
      /** Now where absent. */
      asOf: timestamp.optional(),
    }),
    example: {
      serviceNumberId: 'sn-harbor',
      audience: { type: 'contacts', contactIds: ['sn-harbor-000001'] },
      contactId: 'sn-harbor-000001',
    },
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 200,
    response: audienceExplanationSchema,
    errors: ['invalid_content', 'rate_limited'],
  }),
  listAudiences: operation({
    method: 'get',
    path: '/audiences',
    tag,
    summary: 'Saved audiences, newest first',
    access: 'read',
    query: z.object({ ...pageQuery, serviceNumberId: platformId.optional() }),
    status: 200,
    response: page(savedAudienceSchema),
  }),
  createAudience: operation({
    method: 'post',
    path: '/audiences',
    tag,
    summary: 'Saves a list of contacts, a tag filter or a segment',
    access: 'write',
    body: savedBody,
    example: { serviceNumberId: 'sn-harbor', name: 'Regulars', type: 'contacts', contactIds: ['sn-harbor-000001'] },
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 201,
    response: savedAudienceSchema,
    errors: ['invalid_content'],
  }),
  getAudience: operation({
    method: 'get',
    path: '/audiences/{audienceId}',
    tag,
    summary: 'One saved audience',
    access: 'read',
    params: audienceId,
    status: 200,
    response: savedAudienceSchema,
    errors: ['not_found'],
  }),
  updateAudience: operation({
    method: 'patch',
    path: '/audiences/{audienceId}',
    tag,
    summary: 'Changes a saved audience; its service number and type are fixed',
    access: 'write',
    params: audienceId,
    headers: ifMatch,
    readOnly: ['audienceId', 'createdBy', 'createdAt'],
    body: savedBody.partial(),
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 200,
    response: savedAudienceSchema,
    errors: ['not_found', 'stale', 'in_use', 'invalid_content'],
  }),
  deleteAudience: operation({
    method: 'delete',
    path: '/audiences/{audienceId}',
    tag,
    summary: 'Deletes a saved audience; past sends keep their own snapshot',
    access: 'write',
    params: audienceId,
    headers: ifMatch,
    status: 204,
    errors: ['not_found', 'stale', 'in_use'],
  }),
  listAudienceContacts: operation({
    method: 'get',
    path: '/audiences/{audienceId}/contacts',
    tag,
    summary: 'Contacts that a saved audience matches now, by id, and whether each is reached',
    access: 'read',
    params: audienceId,
    query: z.object({ ...pageQuery, reach: z.enum(contactReaches).optional() }),
    status: 200,
    response: page(audienceContactSchema),
    errors: ['not_found', 'invalid_content'],
  }),
  replaceAudienceContacts: operation({
    method: 'put',
    path: '/audiences/{audienceId}/contacts',
    tag,
    summary: 'Replaces a list with the contactIds of a CSV, all or nothing',
    description:
      'One contactId per line, or a column of a table: the one given, else the one that a header names `contactId`. UTF-8 or UTF-16. Blanks and marks without a width around an id, and the apostrophe of our own exports, are no part of it; blank lines and repeated headers are left out. A file without a valid line is refused. An invalid line refuses the file, with its number and its text, unless `invalidLines` is `skip`. A file has at most 256 MiB, also once unpacked (`Content-Encoding: gzip`), and a tenant uploads two at once.',
    access: 'write',
    params: audienceId,
    headers: ifMatch,
    query: z.object({
      /** Missing: what the first lines show. `sep=;` as the first line is believed before both. */
      separator: z.enum(['comma', 'semicolon', 'tab']).optional(),
      /** Counted from 1. */
      column: z.coerce.number().int().min(1).max(1000).optional(),
      header: z.enum(['detect', 'present', 'absent']).default('detect'),
      invalidLines: z.enum(['refuse', 'skip']).default('refuse'),
    }),
    bodyType: 'text/csv',
    status: 200,
    response: z.object({
      memberCount: z.int(),
      duplicates: z.int(),
      /** Members that the service number does not know as contacts. */
      unknown: z.int(),
      /** Invalid lines that were left out. */
      skipped: z.int(),
    }),
    errors: ['not_found', 'stale', 'in_use', 'too_large', 'invalid_content', 'rate_limited'],
  }),
  restoreAudienceContacts: operation({
    method: 'post',
    path: '/audiences/{audienceId}/contacts:restore',
    tag,
    summary: 'Puts back the list that the last file replaced',
    description: 'For 30 days. What the list has now is kept instead, so that the same call undoes it.',
    access: 'write',
    params: audienceId,
    headers: ifMatch,
    status: 200,
    response: savedAudienceSchema,
    errors: ['not_found', 'stale', 'in_use', 'invalid_state'],
  }),
};
