import type { JsonClient } from '#scripts/demo/client.ts';

export interface Person {
  sub: string;
  name: string;
  tenantId: string;
  serviceNumberId: string;
  roles: string[];
}

const roles = ['tenant_admin', 'order_admin'];

/** The administrator of the demonstration's tenant, which has some data of every kind. */
export const ada: Person = {
  sub: 'ada',
  name: 'Ada Lin',
  tenantId: 'harbor-coffee',
  serviceNumberId: 'sn-harbor',
  roles,
};

/** The administrator of a tenant that has just been installed. */
export const eva: Person = {
  sub: 'eva',
  name: 'Eva Sato',
  tenantId: 'lumen-books',
  serviceNumberId: 'sn-lumen',
  roles,
};

/** Those who may sign in for a tenant: Ada administers it, Ben operates, Cleo reads, and Dan looks after the orders. */
export interface People {
  ada: Person;
  ben: Person;
  cleo: Person;
  dan: Person;
}

/** Makes the people of a tenant known to the sandbox's identity service. */
export async function introducePeople(
  sandbox: JsonClient,
  of: Pick<Person, 'tenantId' | 'serviceNumberId'>,
): Promise<People> {
  const person = (name: string, roles: string[]): Person => ({
    ...of,
    sub: `${name.split(' ')[0]?.toLowerCase()}-of-${of.tenantId}`,
    name,
    roles,
  });
  const people = {
    ada: person('Ada Lin', roles),
    ben: person('Ben Wu', ['marketing_operator']),
    cleo: person('Cleo Chang', ['viewer']),
    dan: person('Dan Hsu', ['order_admin']),
  };
  for (const { sub, name, tenantId, roles } of Object.values(people))
    await sandbox.post('/sandbox/people', { sub, name, tenantId, roles });
  return people;
}
