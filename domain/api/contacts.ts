import { z } from 'zod';
import { profileFields } from '../contacts/segment-limits.ts';
import { contactSorts } from '../lists/sorts.ts';
import { refinement } from './field-errors.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, text, timestamp } from './primitives.ts';

export const followStates = ['following', 'unfollowed'] as const;

export const contactSchema = z
  .object({
    contactId: z.string(),
    serviceNumberId: z.string(),
    displayName: z.string().nullable(),
    channel: z.string().nullable(),
    language: z.string().nullable(),
    region: z.string().nullable(),
    attributes: z.record(z.string(), z.unknown()),
    followState: z.enum(followStates),
    /** When the platform reported it; null if it was only inferred. */
    followStateSince: timestamp.nullable(),
    unsubscribed: z.boolean(),
    /** Null if the contact is not unsubscribed. */
    unsubscribedSince: timestamp.nullable(),
    reachable: z.boolean(),
    /** When it first entered or followed; null if no event said so. */
    enteredAt: timestamp.nullable(),
    updatedAt: timestamp,
  })
  .meta({ id: 'Contact' });
export type Contact = z.infer<typeof contactSchema>;

/** The same by itself. */
export const knownContactSchema = contactSchema
  .extend({
    /** Whether it is in the tenant's control group, which gets no campaign. */
    inControlGroup: z.boolean(),
  })
  .meta({ id: 'KnownContact' });
export type KnownContact = z.infer<typeof knownContactSchema>;

export const serviceNumberSchema = z
  .object({ serviceNumberId: z.string(), name: z.string(), status: z.enum(['active', 'inactive']) })
  .meta({ id: 'ServiceNumber' });
export type ServiceNumber = z.infer<typeof serviceNumberSchema>;

/**
 * Contacts of one service number as known from the platform's events; an unsubscribed contact may or may not
 * follow.
 */
export const contactCountsSchema = z
  .object({
    serviceNumberId: z.string(),
    following: z.int(),
    unfollowed: z.int(),
    unsubscribed: z.int(),
    /** Following and not unsubscribed. */
    reachable: z.int(),
  })
  .meta({ id: 'ContactCounts' });
export type ContactCounts = z.infer<typeof contactCountsSchema>;

/** What a list of contacts can be limited to, and its order. */
export const contactFilter = {
  serviceNumberId: platformId.optional(),
  q: text(200).optional(),
  tagId: ownId.optional(),
  /** By id where absent; in any order by service number first. */
  sort: z.enum(contactSorts).optional(),
};

export const contactOperations = {
  listServiceNumbers: operation({
    method: 'get',
    path: '/service-numbers',
    tag: 'service numbers',
    summary: 'The platform’s service numbers of this tenant',
    access: 'read',
    query: z.object(pageQuery),
    status: 200,
    response: page(serviceNumberSchema),
  }),
  countContacts: operation({
    method: 'get',
    path: '/service-numbers:counts',
    tag: 'service numbers',
    summary: 'Contacts of all service numbers of this tenant, by follow state and unsubscription',
    access: 'read',
    status: 200,
    response: z.object({ items: z.array(contactCountsSchema) }),
  }),
  listContacts: operation({
    method: 'get',
    path: '/contacts',
    tag: 'contacts',
    summary: 'Contacts of a service number',
    access: 'read',
    query: z.object({ ...pageQuery, ...contactFilter }),
    status: 200,
    response: page(contactSchema),
  }),
  listContactValues: operation({
    method: 'get',
    path: '/contacts/values',
    tag: 'contacts',
    summary: 'The values that contacts have for a field of the profile, those of most contacts first',
    access: 'read',
    query: z
      .object({
        serviceNumberId: platformId,
        field: z.enum(profileFields),
        /** Of an attribute. */
        name: label(256).optional(),
        /** What values begin with, in upper or lower case. */
        prefix: text(200).optional(),
        limit: z.coerce.number().int().min(1).max(50).default(20),
      })
      .refine(({ field, name }) => (field === 'attribute') === (name !== undefined), {
        ...refinement('attribute_name', 'is needed for an attribute, and for nothing else'),
        path: ['name'],
      }),
    status: 200,
    response: z.object({ items: z.array(z.object({ value: z.string(), contacts: z.int() })) }),
  }),
  getContact: operation({
    method: 'get',
    path: '/contacts/{snId}/{contactId}',
    tag: 'contacts',
    summary: 'One contact',
    access: 'read',
    params: z.object({ snId: platformId, contactId: platformId }),
    status: 200,
    response: knownContactSchema,
    errors: ['not_found'],
  }),
};
