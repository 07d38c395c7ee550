/**
 * Lifecycle work on an installed integration: rotation, uninstall, registering slots again. Each run has its own
 * n.
 */
export interface LifecycleInput {
  tenantIntegrationId: string;
  platformTenantId: string;
  /** The n in the workflow id, taken from the integration's row. */
  number: number;
}

/** What the ids of all of an integration's runs begin with. */
export function lifecycleWorkflowIds(tenantIntegrationId: string): string {
  return `lifecycle:${tenantIntegrationId}:`;
}

/** `lifecycle:<tenantIntegrationId>:<n>`. */
export function lifecycleWorkflowId(tenantIntegrationId: string, number: number): string {
  return `${lifecycleWorkflowIds(tenantIntegrationId)}${number}`;
}
