import {
  reconciliationDayPageSchema,
  reconciliationDaySchema,
  reconciliationQuerySchema,
  reconciliationSchema,
  reconcileSchema,
} from '../administration/reconciliation.ts';
import { z } from 'zod';
import { ofStaff, orderOperation } from './describe.ts';
import { pagePart } from '#domain/api/primitives.ts';

/** Our charges compared with the payment gateway’s, for each day. */
export const reconciliationOperations = {
  reconcile: orderOperation({
    method: 'post',
    path: '/admin/reconciliation',
    ...ofStaff,
    status: 202,
    summary: 'Compares one day (UTC) with the payment gateway now, or every day that is missing',
    description:
      'Without `date`: the days before today that were not compared completely, or failed, as the daily run does, the oldest ' +
      'first and at most 92 days back; the response lists them. A day that is not over may be compared, and is compared ' +
      'again once it is.',
    body: reconcileSchema,
    response: z.union([reconciliationDaySchema, reconciliationDayPageSchema]),
    errors: [90204],
  }),
  getReconciliation: orderOperation({
    method: 'get',
    path: '/admin/reconciliation',
    ...ofStaff,
    summary: 'The differences of one day (UTC)',
    query: reconciliationQuerySchema,
    response: reconciliationSchema,
  }),
  listReconciliationDays: orderOperation({
    method: 'get',
    path: '/admin/reconciliation/days',
    ...ofStaff,
    summary: 'The days that were compared, newest first',
    query: z.object(pagePart),
    response: reconciliationDayPageSchema,
  }),
};
