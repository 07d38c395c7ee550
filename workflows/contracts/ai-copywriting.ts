/** Brief and drafts are in the row. */
export interface AiCopywritingInput {
  tenantId: string;
  copywritingId: string;
}

export type AiCopywritingResult = 'written' | 'refused' | 'misconfigured' | 'failed';

/** `copywriting:<copywritingId>`: one per request. */
export function aiCopywritingWorkflowId(copywritingId: string): string {
  return `copywriting:${copywritingId}`;
}
