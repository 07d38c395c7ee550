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
