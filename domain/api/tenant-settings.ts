import { z } from 'zod';
import { operation } from './operation.ts';

export const tenantSettingsSchema = z
  .object({
    /** Whether viewers see the panel of a contact in the platform's desktop client; off unless an administrator allows it. */
    viewersSeeContactPanel: z.boolean(),
  })
  .meta({ id: 'TenantSettings' });
export type TenantSettings = z.infer<typeof tenantSettingsSchema>;

export const tenantSettingsOperations = {
  getTenantSettings: operation({
    method: 'get',
    path: '/tenant-settings',
    tag: 'integration',
    summary: 'What the tenant allows',
    access: 'read',
    status: 200,
    response: tenantSettingsSchema,
  }),
  updateTenantSettings: operation({
    method: 'patch',
    path: '/tenant-settings',
    tag: 'integration',
    summary: 'Changes what the tenant allows',
    access: 'admin',
    body: tenantSettingsSchema,
    status: 200,
    response: tenantSettingsSchema,
  }),
};
