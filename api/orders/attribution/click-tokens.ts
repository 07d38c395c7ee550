import { type ClickTokens, type TokenFault, type TrackedClick } from '#domain/campaigns/revenue/click-token.ts';

/** The outcome of a created order's token. */
export type TokenResult = 'accepted' | TokenFault;

/** Which campaign link an order came from; null where there is no token, or none that counts. */
export type ReadClick = (platformTenantId: string, token: unknown) => TrackedClick | null;

/** Reads tokens and has each result counted: an order is created whatever its token is. */
export const readingClicks =
  (tokens: Pick<ClickTokens, 'verify'>, count: (result: TokenResult) => void): ReadClick =>
  (platformTenantId, token) => {
    if (token === undefined || token === null) return null;
    const verified = tokens.verify(platformTenantId, token, new Date());
    count('fault' in verified ? verified.fault : 'accepted');
    return 'fault' in verified ? null : verified.click;
  };
