import { defineSignal } from '@temporalio/workflow';

/** The service number whose automations are driven; everything else is in their rows. */
export interface DriveAutomationsInput {
  tenantId: string;
  serviceNumberId: string;
}

export interface DriveAutomationsResult {
  /** Messages that this run has put into sub-tasks. */
  claimed: number;
}

/** Something is due, or an automation has changed: look at once. */
export const automationsWakeSignal = defineSignal('wake');

/** `automations:<tenantId>:<serviceNumberId>`. */
export function automationsWorkflowId({ tenantId, serviceNumberId }: DriveAutomationsInput): string {
  return `automations:${tenantId}:${serviceNumberId}`;
}
