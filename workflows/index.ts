export { dispatchCampaign } from './outreach/dispatch-campaign.ts';
export { handleInbox } from './outreach/handle-inbox.ts';
export { installTenant } from './outreach/install-tenant.ts';
export { pollTaskStatus } from './outreach/poll-task-status.ts';
export { registerSlots } from './outreach/register-slots.ts';
export { rotateSecret } from './outreach/rotate-secret.ts';
export { sweepOutreach } from './outreach/sweep.ts';
export { uninstallTenant } from './outreach/uninstall-tenant.ts';
