/** What a list of campaigns can be limited to by approval: `waiting` for those whose send waits for another operator. */
export const campaignApprovals = ['waiting'] as const;
