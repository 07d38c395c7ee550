/** What an API key may do at the frontend API: read or write an area. Who may write an area may read it, too. */
export const frontendScopes = [
  'campaigns:read',
  'campaigns:write',
  'audiences:read',
  'audiences:write',
  'contacts:read',
  'tags:read',
  'tags:write',
  'rules:read',
  'rules:write',
  'operations:read',
  'operations:write',
  'events:read',
] as const;

/** What it may do at the order service, whose operations name the scopes of which one suffices. */
export const orderScopes = [
  'orders:read',
  'orders:write',
  'orders:refund',
  'catalogue:read',
  'catalogue:write',
  'points:read',
  'points:write',
  'payers:create',
] as const;

export const keyScopes = [...frontendScopes, ...orderScopes] as const;
export type KeyScope = (typeof keyScopes)[number];
export type OrderScope = (typeof orderScopes)[number];

/** The area of each tag of operations. Those of the others, such as users, sessions and settings, are for people. */
const areas: Record<string, string> = {
  campaigns: 'campaigns',
  image: 'campaigns',
  insight: 'campaigns',
  audiences: 'audiences',
  contacts: 'contacts',
  'service numbers': 'contacts',
  tags: 'tags',
  rules: 'rules',
  operations: 'operations',
  events: 'events',
};

interface Scoped {
  method: string;
  tag: string;
  access: string;
  onlyPeople?: true | undefined;
  changes?: string | undefined;
}

const isScope = (text: string): text is KeyScope => (frontendScopes as readonly string[]).includes(text);

/** The scopes of which a key needs one for an operation, the narrowest first; none where no key may use it. */
export function scopesFor({ method, tag, access, onlyPeople, changes }: Scoped): KeyScope[] {
  const area = changes ?? areas[tag];
  if (area === undefined || onlyPeople || (access !== 'read' && access !== 'write')) return [];
  const reads = access === 'read' || method === 'get';
  return (reads ? [`${area}:read`, `${area}:write`] : [`${area}:write`]).filter(isScope);
}

export const isOrderScope = (scope: string): scope is OrderScope => (orderScopes as readonly string[]).includes(scope);

/** Whether it writes anything of the frontend API. */
export const writes = (scope: KeyScope): boolean => !isOrderScope(scope) && scope.endsWith(':write');
