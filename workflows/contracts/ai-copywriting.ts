/** The brief and the drafts are in the row. */
export interface AiCopywritingInput {
  tenantId: string;
  copywritingId: string;
}

export type AiCopywritingResult = 'written' | 'refused' | 'misconfigured' | 'failed';

/** `copywriting:<copywritingId>`: one workflow per request. */
export function aiCopywritingWorkflowId(copywritingId: string): string {
  return `copywriting:${copywritingId}`;
}
