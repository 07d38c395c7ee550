import { z } from 'zod';
import { fieldErrorCodes, refinement } from './field-errors.ts';
import { tagSorts } from '../lists/sorts.ts';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';

export const tagKinds = ['permanent', 'temporary'] as const;
export const tagStatuses = ['active', 'expired', 'archived'] as const;
export const tagSources = ['app_manual', 'app_smart'] as const;

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f7a8c');

const writable = { name: label(100), color: color.nullable().optional(), expiresAt: timestamp.nullable().optional() };

export const tagBodySchema = z
  .object({ ...writable, serviceNumberId: platformId, kind: z.enum(tagKinds) })
  .refine((tag) => tag.kind === 'permanent' || Boolean(tag.expiresAt), {
    path: ['expiresAt'],
    ...refinement('expiry_needed', fieldErrorCodes.expiry_needed),
  });
export type TagBody = z.output<typeof tagBodySchema>;

export const tagPatchSchema = z.object(writable).partial();
export type TagPatch = z.output<typeof tagPatchSchema>;

export const tagSchema = z
  .object({
    tagId: ownId,
    etag,
    serviceNumberId: z.string(),
    name: z.string(),
    source: z.enum(tagSources),
    kind: z.enum(tagKinds),
    color: z.string().nullable(),
    status: z.enum(tagStatuses),
    expiresAt: timestamp.nullable(),
    contactCount: z.int(),
    createdAt: timestamp,
  })
  .meta({ id: 'Tag' });
export type Tag = z.infer<typeof tagSchema>;

export const tagOriginSchema = z.object({
  ruleId: z.string().nullable(),
  /** The version of the rule that assigned the tag. */
  ruleVersion: z.int().nullable(),
  /** The rule's name in that version. */
  ruleName: z.string().nullable(),
  campaignId: z.string().nullable(),
  campaignName: z.string().nullable(),
  taskId: z.string().nullable(),
  actionIndex: z.int().nullable(),
  buttonLabel: z.string().nullable(),
  bizEventCode: z.string().nullable(),
  eventId: z.string().nullable(),
  eventType: z.string().nullable(),
  /** When the event that triggered the rule occurred; the tag may have been assigned later. */
  occurredAt: timestamp.nullable(),
  assignedBy: z.string().nullable(),
  assignedByName: z.string().nullable(),
});
export type TagOrigin = z.infer<typeof tagOriginSchema>;

export const tagAssignmentSchema = z
  .object({
    contactId: z.string(),
    /** Null if the contact has none. */
    displayName: z.string().nullable(),
    assignedAt: timestamp,
    origin: tagOriginSchema,
  })
  .meta({ id: 'TagAssignment' });
export type TagAssignment = z.infer<typeof tagAssignmentSchema>;

export const contactTagSchema = z
  .object({
    tagId: ownId,
    name: z.string(),
    color: z.string().nullable(),
    kind: z.enum(tagKinds),
    /** An expired tag no longer applies to anyone, but is still shown. */
    expiresAt: timestamp.nullable(),
    assignedAt: timestamp,
    origin: tagOriginSchema,
  })
  .meta({ id: 'ContactTag' });
export type ContactTag = z.infer<typeof contactTagSchema>;

const tagId = z.object({ tagId: ownId });
const contactIds = z.object({ contactIds: z.array(platformId).min(1).max(10_000) });
const tag = 'tags';

/** What a list of tags can be limited to, and its order. */
export const tagFilter = {
  serviceNumberId: platformId.optional(),
  status: z.enum(tagStatuses).optional(),
  /** By name where absent. */
  sort: z.enum(tagSorts).optional(),
};

export const tagOperations = {
  listTags: operation({
    method: 'get',
    path: '/tags',
    tag,
    summary: 'Tags; archived ones only if requested by status',
    access: 'read',
    query: z.object({ ...pageQuery, ...tagFilter }),
    status: 200,
    response: page(tagSchema),
  }),
  createTag: operation({
    method: 'post',
    path: '/tags',
    tag,
    summary: 'Creates a tag of a service number',
    access: 'write',
    body: tagBodySchema,
    example: { serviceNumberId: 'sn-harbor', name: 'Likes beans', kind: 'permanent' },
    status: 201,
    response: tagSchema,
    errors: ['conflict', 'invalid_content'],
  }),
  getTag: operation({
    method: 'get',
    path: '/tags/{tagId}',
    tag,
    summary: 'One tag',
    access: 'read',
    params: tagId,
    status: 200,
    response: tagSchema,
    errors: ['not_found'],
  }),
  updateTag: operation({
    method: 'patch',
    path: '/tags/{tagId}',
    tag,
    summary: 'Changes name, colour or expiry; a later expiresAt revives an expired tag',
    access: 'write',
    params: tagId,
    headers: ifMatch,
    readOnly: ['tagId', 'serviceNumberId', 'kind', 'source', 'createdAt'],
    body: tagPatchSchema,
    status: 200,
    response: tagSchema,
    errors: ['not_found', 'stale', 'conflict', 'invalid_state', 'invalid_content'],
  }),
  archiveTag: operation({
    method: 'delete',
    path: '/tags/{tagId}',
    tag,
    summary: 'Archives a tag; its assignments stay readable',
    access: 'write',
    params: tagId,
    headers: ifMatch,
    status: 204,
    errors: ['not_found', 'stale'],
  }),
  assignTag: operation({
    method: 'post',
    path: '/tags/{tagId}/assignments',
    tag,
    summary: 'Gives the tag to contacts; duplicate ids and repeated calls change nothing',
    access: 'write',
    params: tagId,
    body: contactIds,
    status: 201,
    response: z.object({ assigned: z.int(), alreadyAssigned: z.int() }),
    errors: ['not_found', 'invalid_state', 'invalid_content'],
  }),
  unassignTag: operation({
    method: 'delete',
    path: '/tags/{tagId}/assignments',
    tag,
    summary: 'Removes the tag from contacts',
    access: 'write',
    params: tagId,
    body: contactIds,
    status: 204,
    errors: ['not_found', 'invalid_state'],
  }),
  listTagAssignments: operation({
    method: 'get',
    path: '/tags/{tagId}/assignments',
    tag,
    summary: 'Contacts with this tag, newest first, each with its origin',
    access: 'read',
    params: tagId,
    query: z.object(pageQuery),
    status: 200,
    response: page(tagAssignmentSchema),
    errors: ['not_found'],
  }),
  listContactTags: operation({
    method: 'get',
    path: '/contacts/{snId}/{contactId}/tags',
    tag: 'contacts',
    summary: 'The tags of one contact, each with the reason for it',
    access: 'read',
    params: z.object({ snId: platformId, contactId: platformId }),
    query: z.object(pageQuery),
    status: 200,
    response: page(contactTagSchema),
    errors: ['not_found'],
  }),
};
