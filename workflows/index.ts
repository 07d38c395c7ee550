export { installTenant } from './outreach/install-tenant.ts';
export { registerSlots } from './outreach/register-slots.ts';
export { rotateSecret } from './outreach/rotate-secret.ts';
export { uninstallTenant } from './outreach/uninstall-tenant.ts';
