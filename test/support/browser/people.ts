export interface Person {
  sub: string;
  name: string;
  tenantId: string;
  serviceNumberId: string;
  roles: string[];
}

const roles = ['tenant_admin', 'order_admin'];

/** The administrator of the demonstration's tenant, who has some of everything. */
export const ada: Person = {
  sub: 'ada',
  name: 'Ada Lin',
  tenantId: 'harbor-coffee',
  serviceNumberId: 'sn-harbor',
  roles,
};

/** The administrator of a tenant that was installed this minute. */
export const eva: Person = {
  sub: 'eva',
  name: 'Eva Sato',
  tenantId: 'lumen-books',
  serviceNumberId: 'sn-lumen',
  roles,
};
