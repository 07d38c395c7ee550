import { Model } from 'objection';
import type { KeyScope } from '#domain/keys/scopes.ts';
import type { InstalledServiceNumbers, InstalledTenant } from '#domain/api/internal.ts';

/** Tables of schema `bff`: their columns and relations. Queries are in the file of their capability. */

export type IntegrationStatus = 'PENDING' | 'ACTIVE' | 'UNINSTALLED';

/** Data from the install call that the backend does not have yet. */
export interface Handshake {
  tenant: InstalledTenant;
  serviceNumbers: InstalledServiceNumbers;
}

export class TenantIntegration extends Model {
  static override tableName = 'tenant_integration';
  static override idColumn = 'tenantIntegrationId';
  static override jsonAttributes = ['handshake'];

  declare tenantIntegrationId: string;
  declare platformTenantId: string;
  declare status: IntegrationStatus;
  /** Null once it is deleted, a while after the uninstall. */
  declare secretEncrypted: string | null;
  declare replacedSecretEncrypted: string | null;
  declare replacedAcceptedUntil: Date | null;
  declare rotatedAt: Date | null;
  /** The n of the most recently committed rotation. */
  declare rotationNumber: number | null;
  declare webhookUrl: string;
  declare externalTenantId: string | null;
  declare handshake: Handshake | null;
  declare revision: number;
  declare lifecycleCount: number;
  declare uninstallNumber: number | null;
  declare uninstallReason: string | null;
  declare installedAt: Date | null;
  declare acknowledgedAt: Date | null;
  declare uninstalledAt: Date | null;
}

export class SecretRotation extends Model {
  static override tableName = 'secret_rotation';
  static override idColumn = 'tenantIntegrationId';

  declare tenantIntegrationId: string;
  declare number: number;
  declare newSecretEncrypted: string;
  declare rotatedAt: Date;
  declare graceSeconds: number;
  declare expiresAt: Date;
  /** Whether it may have reached the backend. */
  declare sent: boolean;
}

export class TenantMapping extends Model {
  static override tableName = 'tenant_mapping';
  static override idColumn = 'platformTenantId';

  declare platformTenantId: string;
  declare externalTenantId: string;
  declare tenantIntegrationId: string;
}

export type SlotStatus = 'pending' | 'registered' | 'failed';

export class EmbedSlot extends Model {
  static override tableName = 'embed_slot';
  static override idColumn = ['tenantIntegrationId', 'slot'];

  declare tenantIntegrationId: string;
  declare slot: string;
  declare endpointUrl: string;
  declare status: SlotStatus;
  declare registeredAt: Date | null;
  declare error: string | null;
  declare changedAt: Date;
}

export class ApiKeyRow extends Model {
  static override tableName = 'api_key';
  static override idColumn = 'keyId';

  declare keyId: string;
  /** The key works while this integration is active. */
  declare tenantIntegrationId: string;
  declare platformTenantId: string;
  declare name: string;
  declare secretHash: Buffer;
  declare scopes: KeyScope[];
  /** Those that it sees; null: all. */
  declare serviceNumberIds: string[] | null;
  declare createdBy: string;
  declare createdAt: Date;
  declare lastUsedAt: Date | null;
  declare expiresAt: Date | null;
  declare revokedAt: Date | null;
  declare revokedBy: string | null;
}

export class Session extends Model {
  static override tableName = 'session';
  static override idColumn = 'tokenHash';

  declare tokenHash: Buffer;
  declare sessionId: string;
  declare kind: 'cookie' | 'bearer';
  declare platformTenantId: string;
  declare userId: string;
  declare name: string;
  declare roles: string[];
  declare platformTokenEncrypted: string | null;
  declare platformTokenExpiresAt: Date | null;
  declare refreshTokenEncrypted: string | null;
  declare renewingUntil: Date | null;
  /** The identity service's session. */
  declare sid: string | null;
  /** The browser or program, in a few words. */
  declare userAgent: string | null;
  declare createdAt: Date;
  declare lastUsedAt: Date;
  declare expiresAt: Date;
  declare endedAt: Date | null;
}
