import { z } from 'zod';
import { operation } from './operation.ts';
import { page, pageQuery, timestamp } from './primitives.ts';
import { roles } from './session.ts';

export const userSchema = z
  .object({
    /** As in `GET /me`. */
    userId: z.string(),
    /** The same value under its name in the specification's user record. */
    platformUserId: z.string(),
    name: z.string(),
    /** The strongest role at the last sign-in. */
    role: z.enum(roles),
    /** All roles at the last sign-in, the strongest first. */
    roles: z.array(z.enum(roles)),
    lastSignInAt: timestamp,
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

export const userOperations = {
  listUsers: operation({
    method: 'get',
    path: '/users',
    tag: 'session',
    summary: 'People of the tenant who have signed in',
    access: 'read',
    query: z.object(pageQuery),
    status: 200,
    response: page(userSchema),
  }),
};
