/** An integration's secret as it is stored, in either schema. @throws Error if it was deleted after the uninstall. */
export function sealedSecretOf(row: { tenantIntegrationId: string; secretEncrypted: string | null }): string {
  if (row.secretEncrypted === null) throw new Error(`The secrets of ${row.tenantIntegrationId} are deleted`);
  return row.secretEncrypted;
}
