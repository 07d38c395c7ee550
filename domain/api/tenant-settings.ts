import { z } from 'zod';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { quietHoursSchema } from './pace.ts';
import { platformId, timestamp } from './primitives.ts';
import { utmSchema } from './utm.ts';

const testContactSchema = z.object({ serviceNumberId: platformId, contactId: platformId });
export type TestContact = z.infer<typeof testContactSchema>;

const controlPercent = z.int().min(0).max(20);

export const tenantSettingsSchema = z
  .object({
    /** Whether viewers see the panel of a contact in the platform's desktop client; off unless an administrator allows it. */
    viewersSeeContactPanel: z.boolean(),
    /** A send to more contacts than this waits until another operator approves it; null: none does. */
    sendsNeedApproval: z.int().min(1).max(2_147_483_647).nullable(),
    /** Whom test sends may reach while `sendsNeedApproval` is set; without it, everybody. */
    testContacts: z.array(testContactSchema).max(50),
    /** Parameters `utm_…` for the links of each new campaign that does not say its own; null: none. */
    utm: utmSchema.nullable(),
    /** Quiet hours of each new campaign that does not say its own, or `none`; null: none. */
    quietHours: quietHoursSchema.nullable(),
    /** Messages that all automations together may send to one contact in any 24 hours; null: any number. */
    automationsPerContactPerDay: z.int().min(1).max(100).nullable(),
    /** Contacts that get no campaign, test sends aside, for comparison; null: none. */
    controlGroup: z
      .object({
        /** How many of a hundred. A higher share keeps all who are in. */
        percent: controlPercent,
        /** Since when all of its contacts have been in it; null where nobody is. */
        since: timestamp.nullable(),
      })
      .nullable(),
    etag,
  })
  .meta({ id: 'TenantSettings' });
export type TenantSettings = z.infer<typeof tenantSettingsSchema>;

/** Any of them. */
export const tenantSettingsPatchSchema = tenantSettingsSchema
  .omit({ etag: true })
  .extend({ controlGroup: z.object({ percent: controlPercent }).nullable() })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'must name a setting');
export type TenantSettingsPatch = z.infer<typeof tenantSettingsPatchSchema>;

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
    headers: ifMatch,
    body: tenantSettingsPatchSchema,
    status: 200,
    response: tenantSettingsSchema,
    errors: ['stale', 'invalid_content'],
  }),
};
