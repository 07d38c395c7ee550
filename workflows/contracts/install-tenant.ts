import { defineUpdate } from '@temporalio/workflow';

export interface InstallTenantInput {
  tenantIntegrationId: string;
  platformTenantId: string;
}

/** The outcome of an install call: ACTIVE in BFF and backend, or why it cannot become active. */
export type InstallResult = { kind: 'active' } | { kind: 'refused'; code: 'conflict' | 'gone' };

/** Identifies the call: each call that changes something increments the revision of the integration's row. */
export interface InstallResultRequest {
  revision: number;
}

export interface InstallTenantResult {
  answer: InstallResult;
  slots: 'registered' | 'not_active' | 'not_reached';
}

/** Waits until this revision or a later one is ACTIVE or rejected; the workflow goes on to register the slots. */
export const installResultUpdate = defineUpdate<InstallResult, [InstallResultRequest]>('installAnswer');

/** `install:<tenantIntegrationId>`: at most one install of an integration at a time. */
export function installWorkflowId(tenantIntegrationId: string): string {
  return `install:${tenantIntegrationId}`;
}
