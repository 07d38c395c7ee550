/** Of one run; an input may only gain optional fields. */
export interface RunRepeatInput {
  tenantId: string;
  repeatId: string;
}

export interface RunRepeatResult {
  /** Campaigns that it has sent. */
  sends: number;
  /** Coming times that its Schedule knows. */
  times: number;
}

/** Its Schedule's id, and the prefix of what that starts: `repeat:<repeatId>`. */
export const runRepeatWorkflowId = ({ repeatId }: Pick<RunRepeatInput, 'repeatId'>): string => `repeat:${repeatId}`;
