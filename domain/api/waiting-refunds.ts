import { z } from 'zod';
import { operation } from './operation.ts';
import { platformId, timestamp } from './primitives.ts';

/**
 * What the order service tells the backend about refunds that wait for a decision by staff, under `/internal/v1` of the
 * order service, with INTERNAL_API_SECRET as the bearer token.
 */

const waitingRefundSchema = z.object({
  refundId: z.string(),
  /** Both null for money of an unknown order. */
  orderId: z.string().nullable(),
  orderNo: z.string().nullable(),
  since: timestamp,
});
export type WaitingRefund = z.infer<typeof waitingRefundSchema>;

export const waitingRefundsSchema = z.object({ refunds: z.array(waitingRefundSchema) });

export const waitingRefundOperations = {
  listWaitingRefunds: operation({
    method: 'get',
    path: '/waiting-refunds',
    tag: 'refunds',
    summary: 'The newest 500 refunds that need staff, of a tenant and those whose headquarters it is',
    access: 'service',
    query: z.object({ platformTenantId: platformId }),
    status: 200,
    response: waitingRefundsSchema,
  }),
};
