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

/** The request of such an id; null where it is none. */
export function parseAiCopywritingWorkflowId(id: string): string | null {
  return /^copywriting:([A-Za-z0-9_-]{1,64})$/.exec(id)?.[1] ?? null;
}
