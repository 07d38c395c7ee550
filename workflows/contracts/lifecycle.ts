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

/** `lifecycle:<tenantIntegrationId>:<n>`. */
export function lifecycleWorkflowId(tenantIntegrationId: string, number: number): string {
  return `lifecycle:${tenantIntegrationId}:${number}`;
}

/** The parts of such a workflow id, or undefined if it is not one. */
export function parseLifecycleWorkflowId(id: string): { tenantIntegrationId: string; number: number } | undefined {
  const match = /^lifecycle:([A-Za-z0-9_-]{1,64}):(\d+)$/.exec(id);
  return match?.[1] && match[2] ? { tenantIntegrationId: match[1], number: Number(match[2]) } : undefined;
}
