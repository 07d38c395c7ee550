import { approvalSchema, resolveApprovalSchema } from '../administration/approvals.ts';
import { byId, ofStaff, orderOperation } from './describe.ts';

/** Refunds above a tenant's limit, which another member of staff approves. */
export const approvalOperations = {
  resolveApproval: orderOperation({
    method: 'post',
    path: '/admin/approvals/{id}/resolve',
    ...ofStaff,
    summary: 'Approves, rejects or withdraws a refund that waits for an approval',
    description:
      'Whoever asked withdraws, and somebody else approves or rejects (90003 otherwise). The money goes back only with the ' +
      'approval; 90202 where it does not wait any more, or what it asks for is not possible any more.',
    params: byId,
    body: resolveApprovalSchema,
    response: approvalSchema,
    errors: [90200, 90202, 90304],
  }),
};
