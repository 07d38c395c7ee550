import type { Journal } from '../journal.ts';

export const roles = ['tenant_admin', 'marketing_operator', 'viewer', 'order_admin'] as const;
export type Role = (typeof roles)[number];

/** A person who can sign in. */
export interface Person {
  sub: string;
  name: string;
  tenantId: string;
  roles: Role[];
}

/** The two tenants that development starts with. */
export const demonstrationTenants = [
  {
    platformTenantId: 'harbor-coffee',
    name: 'Harbor Coffee',
    type: 'enterprise',
    serviceNumbers: [
      { serviceNumberId: 'sn-harbor', name: 'Harbor Coffee' },
      { serviceNumberId: 'sn-harbor-club', name: 'Harbor Club' },
    ],
  },
  {
    platformTenantId: 'lumen-books',
    name: 'Lumen Books',
    type: 'merchant',
    serviceNumbers: [{ serviceNumberId: 'sn-lumen', name: 'Lumen Books' }],
  },
];

const initial: Person[] = [
  { sub: 'ada', name: 'Ada Lin', tenantId: 'harbor-coffee', roles: ['tenant_admin', 'order_admin'] },
  { sub: 'ben', name: 'Ben Wu', tenantId: 'harbor-coffee', roles: ['marketing_operator'] },
  { sub: 'cleo', name: 'Cleo Chang', tenantId: 'harbor-coffee', roles: ['viewer'] },
  { sub: 'dan', name: 'Dan Hsu', tenantId: 'harbor-coffee', roles: ['order_admin'] },
  { sub: 'eva', name: 'Eva Sato', tenantId: 'lumen-books', roles: ['tenant_admin', 'order_admin'] },
  { sub: 'finn', name: 'Finn Baker', tenantId: 'lumen-books', roles: ['marketing_operator'] },
];

type Entry = { kind: 'person'; person: Person } | { kind: 'redirect-uri'; uri: string };

/** The people who may sign in, and the redirect addresses allowed for them. */
export function createPeople(journal: Journal, callbackUri: string) {
  const people = new Map(initial.map((person) => [person.sub, person]));
  const redirectUris = new Set<string>();
  const record = journal.register<Entry>('people', {
    apply(entry) {
      if (entry.kind === 'person') people.set(entry.person.sub, entry.person);
      else redirectUris.add(entry.uri);
    },
    *dump() {
      for (const person of people.values()) if (!initial.includes(person)) yield { kind: 'person', person };
      for (const uri of redirectUris) yield { kind: 'redirect-uri', uri };
    },
  });
  return {
    find: (sub: string) => people.get(sub),
    list: () => [...people.values()],
    put: (person: Person) => record({ kind: 'person', person }),
    redirectUris: () => [...new Set([callbackUri, ...redirectUris])],
    allowRedirect: (uri: string) => record({ kind: 'redirect-uri', uri }),
  };
}

export type People = ReturnType<typeof createPeople>;
