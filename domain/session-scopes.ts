/** Whose sessions are listed. */
export const sessionScopes = ['own', 'tenant'] as const;
