import { Problem } from '../../../domain/api/problem.ts';
import type { TenantSettings } from '../../../domain/api/tenant-settings.ts';

export const settingsOf = ({ viewersSeeContactPanel, sendsNeedApproval, utm }: TenantSettings): TenantSettings => ({
  viewersSeeContactPanel,
  sendsNeedApproval,
  utm,
});

export const unknownTenant = () => new Problem('not_found', 'There is no such tenant');
