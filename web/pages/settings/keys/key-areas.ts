import { keyScopes, type KeyScope } from '#domain/keys/scopes.ts';

export type Reach = 'none' | 'read' | 'write';

/** The areas of the scopes, each with how far a key may reach into it. */
export const keyAreas: readonly { area: string; reaches: readonly Reach[] }[] = [
  ...new Set(keyScopes.map((scope) => scope.split(':')[0] ?? '')),
].map((area) => ({
  area,
  reaches: [
    'none',
    ...keyScopes.filter((scope) => scope.startsWith(`${area}:`)).map((scope) => scope.split(':')[1] as Reach),
  ],
}));

/** The scopes that a form asks for. */
export const scopesOf = (chosen: Readonly<Record<string, Reach>>): KeyScope[] =>
  keyScopes.filter((scope) => {
    const [area = '', reach] = scope.split(':');
    return chosen[area] === reach;
  });
