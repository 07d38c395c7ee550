import {
  disputePageSchema,
  disputeSchema,
  disputeSearchSchema,
  noteDisputeSchema,
} from '../administration/disputes.ts';
import { byId, forKeys, ofStaff, orderOperation } from './describe.ts';

/** Disputes of charges, which the payment gateway reports and decides. */
export const disputeOperations = {
  listDisputes: orderOperation({
    method: 'get',
    path: '/admin/disputes',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'Disputes of the tenants of staff, newest first',
    query: disputeSearchSchema,
    response: disputePageSchema,
  }),
  noteDispute: orderOperation({
    method: 'post',
    path: '/admin/disputes/{id}/note',
    ...ofStaff,
    ...forKeys.writeOrders,
    status: 201,
    summary: 'Adds a note for other staff to a dispute; it stays as it is',
    description: 'A dispute that needs staff, because more is claimed than was left, is seen to with that.',
    params: byId,
    body: noteDisputeSchema,
    response: disputeSchema,
    errors: [90200],
  }),
};
