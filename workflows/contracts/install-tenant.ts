import { defineUpdate } from '@temporalio/workflow';

export interface InstallTenantInput {
  tenantIntegrationId: string;
  platformTenantId: string;
}

/** What an install call is answered with: ACTIVE in BFF and backend, or why it cannot become so. */
export type InstallAnswer = { kind: 'active' } | { kind: 'refused'; code: 'conflict' | 'gone' };

/** Which call's: each that brings something else raises the revision of the integration's row. */
export interface InstallAnswerRequest {
  revision: number;
}

export interface InstallTenantResult {
  answer: InstallAnswer;
  slots: 'registered' | 'not_active' | 'not_reached';
}

/** Waits until this revision, or a later one, is ACTIVE or refused; the workflow goes on with the slots. */
export const installAnswerUpdate = defineUpdate<InstallAnswer, [InstallAnswerRequest]>('installAnswer');

/** `install:<tenantIntegrationId>`: one install of an integration at a time. */
export function installWorkflowId(tenantIntegrationId: string): string {
  return `install:${tenantIntegrationId}`;
}

/** The tenantIntegrationId of such an id, or undefined where it is none. */
export function parseInstallWorkflowId(id: string): string | undefined {
  return /^install:([A-Za-z0-9_-]{1,64})$/.exec(id)?.[1];
}
