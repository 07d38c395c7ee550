import { auditPageSchema, auditSearchSchema } from '../administration/audit.ts';
import { ofStaff, orderOperation } from './describe.ts';

export const auditOperations = {
  listAudit: orderOperation({
    method: 'get',
    path: '/admin/audit',
    ...ofStaff,
    summary: 'Who changed what at a tenant, newest first',
    query: auditSearchSchema,
    response: auditPageSchema,
  }),
};
