import { z } from 'zod';
import { resolveCallbackSchema } from '../administration.ts';
import { callbackEventSchema, callbackPageSchema } from '../responses.ts';
import { byId, ofStaff, orderOperation } from './describe.ts';
import { pagePart } from '#domain/api/primitives.ts';

/** Callbacks of the payment gateway that staff must look at. */
export const callbackOperations = {
  listUnmatchedCallbacks: orderOperation({
    method: 'get',
    path: '/admin/callbacks/unmatched',
    ...ofStaff,
    summary: 'Callbacks of the tenants’ shops that fit no payment and nobody has resolved, newest first',
    query: z.object(pagePart),
    response: callbackPageSchema,
  }),
  resolveCallback: orderOperation({
    method: 'post',
    path: '/admin/callbacks/{id}/resolve',
    ...ofStaff,
    summary: 'Decides an unmatched callback: give its money back, or leave it',
    params: byId,
    body: resolveCallbackSchema,
    response: callbackEventSchema,
    errors: [90200, 90202],
  }),
};
