import {
  reconciliationDayPageSchema,
  reconciliationDaySchema,
  reconciliationQuerySchema,
  reconciliationSchema,
  reconcileSchema,
} from '../administration/reconciliation.ts';
import { z } from 'zod';
import { ofStaff, orderOperation } from './describe.ts';
import { pagePart } from '../../api/primitives.ts';

/** Our charges compared with the payment gateway’s, for each day. */
export const reconciliationOperations = {
  reconcile: orderOperation({
    method: 'post',
    path: '/admin/reconciliation',
    ...ofStaff,
    status: 202,
    summary: 'Compares one day (UTC) with the payment gateway now',
    body: reconcileSchema,
    response: reconciliationDaySchema,
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
