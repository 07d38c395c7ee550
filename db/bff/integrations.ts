import type { Knex } from 'knex';
import { raw, UniqueViolationError } from 'objection';
import type { Encryption } from '../encryption.ts';
import { EmbedSlot, type Handshake, Session, TenantIntegration, TenantMapping } from './models.ts';

export interface InstallRequest {
  tenantIntegrationId: string;
  platformTenantId: string;
  secret: string;
  webhookUrl: string;
  handshake: Handshake;
}

/** What an install call finds or leaves. */
export type BegunInstall =
  { kind: 'pending' } | { kind: 'active'; integration: TenantIntegration } | { kind: 'conflict' } | { kind: 'gone' };

export type Activation = 'active' | 'changed' | 'conflict' | 'gone';

/** Secrets as inbound signatures are checked with. */
export interface IntegrationSecrets {
  current: string;
  /** The directly replaced one; after `acceptedUntil` it only proves a repeated rotation. */
  replaced: { secret: string; acceptedUntil: Date } | null;
}

export type IntegrationRepository = ReturnType<typeof createIntegrations>;

/** Installed integrations of tenants, and what the protocol needs to know of them. */
export function createIntegrations(knex: Knex, encryption: Encryption) {
  const find = async (id: string): Promise<TenantIntegration | undefined> => TenantIntegration.query(knex).findById(id);

  function secretsOf(row: TenantIntegration): IntegrationSecrets {
    const open = (sealed: string) => encryption.decrypt(sealed, row.tenantIntegrationId);
    const { replacedSecretEncrypted: replaced, replacedAcceptedUntil: acceptedUntil } = row;
    return {
      current: open(row.secretEncrypted),
      replaced: replaced && acceptedUntil ? { secret: open(replaced), acceptedUntil } : null,
    };
  }

  /** The tenant's integration that counts: the ACTIVE one, else the newest. */
  async function findOfTenant(platformTenantId: string): Promise<TenantIntegration | undefined> {
    return TenantIntegration.query(knex)
      .where({ platformTenantId })
      .orderBy([
        { column: raw(`status = 'ACTIVE'`), order: 'desc' },
        { column: 'createdAt', order: 'desc' },
      ])
      .first();
  }

  function sameInstall(row: TenantIntegration, request: InstallRequest): boolean {
    return (
      secretsOf(row).current === request.secret &&
      row.webhookUrl === request.webhookUrl &&
      JSON.stringify(row.handshake) === JSON.stringify(request.handshake)
    );
  }

  async function beginInstall(request: InstallRequest): Promise<BegunInstall> {
    const { tenantIntegrationId: id, platformTenantId, secret, webhookUrl, handshake } = request;
    const row = await find(id);
    if (row && row.platformTenantId !== platformTenantId) return { kind: 'conflict' };
    if (row?.status === 'UNINSTALLED') return { kind: 'gone' };
    if (row?.status === 'ACTIVE') {
      return secretsOf(row).current === secret ? { kind: 'active', integration: row } : { kind: 'conflict' };
    }
    const other = await findOfTenant(platformTenantId);
    if (other?.status === 'ACTIVE') return { kind: 'conflict' };
    if (row && sameInstall(row, request)) return { kind: 'pending' };
    const stored = await TenantIntegration.query(knex)
      .insert({
        tenantIntegrationId: id,
        platformTenantId,
        status: 'PENDING',
        secretEncrypted: encryption.encrypt(secret, id),
        webhookUrl,
        handshake,
      })
      .onConflict('tenant_integration_id')
      .merge({
        secretEncrypted: raw('excluded.secret_encrypted'),
        webhookUrl: raw('excluded.webhook_url'),
        handshake: raw('excluded.handshake'),
        revision: raw('tenant_integration.revision + 1'),
      })
      .where({ 'tenant_integration.status': 'PENDING', 'tenant_integration.platform_tenant_id': platformTenantId })
      .returning('*');
    // Nothing written: the row left PENDING in between; what it became decides.
    return stored ? { kind: 'pending' } : beginInstall(request);
  }

  /** Makes the install effective where it is still the one that was sent to the backend. */
  async function activate(id: string, revision: number, externalTenantId: string): Promise<Activation> {
    try {
      return await knex.transaction(async (trx) => {
        const row = await TenantIntegration.query(trx)
          .findById(id)
          .where({ status: 'PENDING', revision })
          .patch({ status: 'ACTIVE', externalTenantId, handshake: null, installedAt: new Date() })
          .returning('*')
          .first();
        if (!row) {
          const status = (await TenantIntegration.query(trx).findById(id))?.status;
          return status === 'ACTIVE' ? 'active' : status === 'PENDING' ? 'changed' : 'gone';
        }
        await TenantMapping.query(trx)
          .insert({ platformTenantId: row.platformTenantId, externalTenantId, tenantIntegrationId: id })
          .onConflict('platform_tenant_id')
          .merge();
        return 'active';
      });
    } catch (error) {
      if (error instanceof UniqueViolationError) return 'conflict';
      throw error;
    }
  }

  /** Takes the next n of `lifecycle:<id>:<n>`. */
  async function nextLifecycleNumber(id: string, trx: Knex = knex): Promise<number> {
    const row = await TenantIntegration.query(trx)
      .findById(id)
      .patch({ lifecycleCount: raw('lifecycle_count + 1') })
      .returning('*')
      .first()
      .throwIfNotFound();
    return row.lifecycleCount;
  }

  /** The number of the one uninstall of this integration: repeated calls get the same. */
  async function beginUninstall(id: string, reason: string | null): Promise<number> {
    const row = await TenantIntegration.query(knex)
      .findById(id)
      .patch({
        lifecycleCount: raw('case when uninstall_number is null then lifecycle_count + 1 else lifecycle_count end'),
        uninstallNumber: raw('coalesce(uninstall_number, lifecycle_count + 1)'),
        uninstallReason: raw('coalesce(uninstall_reason, ?::text)', [reason]),
      })
      .returning('*')
      .first()
      .throwIfNotFound();
    if (row.uninstallNumber === null) throw new Error('the statement above sets it');
    return row.uninstallNumber;
  }

  /** Ends the integration, and the tenant's sessions with it. */
  async function finishUninstall(id: string): Promise<void> {
    await knex.transaction(async (trx) => {
      const row = await TenantIntegration.query(trx)
        .findById(id)
        .whereNot({ status: 'UNINSTALLED' })
        .patch({ status: 'UNINSTALLED', uninstalledAt: new Date(), handshake: null })
        .returning('*')
        .first();
      if (!row) return;
      await trx('secret_rotation').where({ tenant_integration_id: id }).delete();
      await EmbedSlot.query(trx).where({ tenantIntegrationId: id }).delete();
      const active = await TenantIntegration.query(trx).findOne({
        platformTenantId: row.platformTenantId,
        status: 'ACTIVE',
      });
      if (!active) await Session.query(trx).where({ platformTenantId: row.platformTenantId }).delete();
    });
  }

  /** ACTIVE integrations that were told another webhook address than `webhookUrl`. */
  const withOtherWebhook = async (webhookUrl: string): Promise<TenantIntegration[]> =>
    TenantIntegration.query(knex).where({ status: 'ACTIVE' }).whereNot({ webhookUrl }).limit(1000);

  const setWebhook = async (id: string, webhookUrl: string): Promise<number> =>
    TenantIntegration.query(knex).findById(id).where({ status: 'ACTIVE' }).patch({ webhookUrl });

  /** Installs and uninstalls that were begun some time ago and have not ended. */
  const unfinished = async (olderThanSeconds: number): Promise<TenantIntegration[]> =>
    TenantIntegration.query(knex)
      .where((row) =>
        row
          .where({ status: 'PENDING' })
          .orWhere((begun) => begun.where({ status: 'ACTIVE' }).whereNotNull('uninstall_number')),
      )
      .whereRaw(`created_at < now() - make_interval(secs => ?)`, [olderThanSeconds])
      .orderBy('created_at', 'desc')
      .limit(100);

  const externalTenantOf = async (platformTenantId: string): Promise<TenantMapping | undefined> =>
    TenantMapping.query(knex).findById(platformTenantId);

  return {
    find,
    findOfTenant,
    secretsOf,
    beginInstall,
    activate,
    nextLifecycleNumber,
    beginUninstall,
    finishUninstall,
    withOtherWebhook,
    setWebhook,
    unfinished,
    externalTenantOf,
  };
}
