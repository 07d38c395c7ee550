import { isOrderScope, keyScopes, type KeyScope } from '#domain/keys/scopes.ts';

/** What a form offers for an area: one of its scopes, or none. */
export type Reach = KeyScope | 'none';

/** Who writes to orders need not refund, and who refunds need not write: so that is an area of its own. */
const areaOf = (scope: KeyScope): string => (scope === 'orders:refund' ? 'refunds' : (scope.split(':')[0] ?? ''));

/** The areas of the scopes, those of the order service last. */
export const keyAreas: readonly { area: string; ofOrders: boolean; scopes: readonly KeyScope[] }[] = [
  ...new Set(keyScopes.map(areaOf)),
].map((area) => {
  const scopes = keyScopes.filter((scope) => areaOf(scope) === area);
  return { area, ofOrders: scopes.some(isOrderScope), scopes };
});

/** The scopes that a form asks for. */
export const scopesOf = (chosen: Readonly<Record<string, Reach>>): KeyScope[] =>
  keyScopes.filter((scope) => chosen[areaOf(scope)] === scope);
