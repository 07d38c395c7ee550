import type { BffDatabase } from '#db/bff/database.ts';
import { EmbedSlot, SecretRotation, Session, TenantIntegration } from '#db/bff/models.ts';
import { unmapTenant } from '#db/bff/tenant-mapping.ts';

/** Ends the integration along with the tenant's mapping and sessions. */
export async function finishUninstall({ connection }: BffDatabase, id: string): Promise<void> {
  await connection.transaction(async (transaction) => {
    const row = await TenantIntegration.query(transaction)
      .findById(id)
      .whereNot({ status: 'UNINSTALLED' })
      .patch({ status: 'UNINSTALLED', uninstalledAt: new Date(), handshake: null })
      .returning('*')
      .first();
    if (!row) return;
    const { platformTenantId } = row;
    await SecretRotation.query(transaction).deleteById(id);
    await unmapTenant(transaction, id);
    await EmbedSlot.query(transaction).where({ tenantIntegrationId: id }).delete();
    const active = await TenantIntegration.query(transaction).findOne({
      platformTenantId,
      status: 'ACTIVE',
    });
    if (!active) await Session.query(transaction).where({ platformTenantId }).delete();
  });
}
