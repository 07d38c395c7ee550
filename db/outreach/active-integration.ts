/** SQL: whether the tenant of the row that `alias` names has an ACTIVE integration; nothing leaves for any other. */
export const integrationActive = (alias: string): string =>
  `exists (select 1 from tenant_integration i where i.tenant_id = ${alias}.tenant_id and i.status = 'ACTIVE')`;
