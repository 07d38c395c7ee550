import { z } from 'zod';
import { operation } from './operation.ts';
import { isKeyActor } from '../keys/actor.ts';
import { page, pageQuery, platformId, serviceNumberListSchema, timestamp } from './primitives.ts';
import { roles } from './session.ts';

export const userSchema = z
  .object({
    /** As in `GET /me`. */
    userId: z.string(),
    /** The same value under its name in the specification's user record. */
    platformUserId: z.string(),
    /** The id of somebody who has not signed in yet, but has a list of service numbers. */
    name: z.string(),
    /** The strongest role at the last sign-in; null before the first. */
    role: z.enum(roles).nullable(),
    /** All roles at the last sign-in, the strongest first. */
    roles: z.array(z.enum(roles)),
    lastSignInAt: timestamp.nullable(),
    /** The service numbers that the person sees, unless as a tenant_admin; null: all. Somebody with a list sees those of it. */
    serviceNumberIds: z.array(z.string()).nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

export const userOperations = {
  listUsers: operation({
    method: 'get',
    path: '/users',
    tag: 'session',
    summary: 'People of the tenant who have signed in, or have a list of service numbers',
    access: 'read',
    query: z.object(pageQuery),
    status: 200,
    response: page(userSchema),
  }),
  putUserServiceNumbers: operation({
    method: 'put',
    path: '/users/{userId}/service-numbers',
    tag: 'session',
    summary: 'Says which service numbers a person sees: those of a list, or all',
    description:
      'For a person with a list, another service number is one that the tenant does not have: with all that belongs to ' +
      'it, it is in no list, sum, file or stream, and its ids are unknown. It holds from the next request on, and ends open ' +
      'streams within 5 s. A tenant_admin sees everything; the list holds once the role is gone. The person may be somebody ' +
      'who has not signed in yet.',
    access: 'admin',
    params: z.object({ userId: platformId.refine((id) => !isKeyActor(id)) }),
    body: z.object({ serviceNumberIds: serviceNumberListSchema.nullable().describe('Null: all; an empty list: none') }),
    status: 200,
    response: userSchema,
    errors: ['invalid_content'],
  }),
};
