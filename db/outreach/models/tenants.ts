import { Model } from 'objection';
import type { QuietHours } from '#domain/api/pace.ts';
import type { TestContact } from '#domain/api/tenant-settings.ts';
import type { ToolName } from '#domain/api/tools.ts';
import type { Role } from '#domain/api/session.ts';
import type { Utm } from '#domain/campaigns/templates/utm.ts';

export class TenantRow extends Model {
  static override tableName = 'tenant';
  static override idColumn = 'tenantId';
  static override jsonAttributes = ['utm', 'testContacts', 'quietHours'];

  declare tenantId: string;
  declare externalTenantId: string;
  declare name: string;
  declare type: string;
  declare status: 'active' | 'inactive';
  declare viewersSeeContactPanel: boolean;
  declare sendsNeedApproval: number | null;
  declare automationsPerContactPerDay: number | null;
  declare testContacts: TestContact[];
  declare utm: Utm | null;
  declare quietHours: QuietHours | null;
  /** Of its control group; null: it has none. */
  declare controlPercent: number | null;
  declare controlSince: Date | null;
  /** Set once it first had one. */
  declare controlKey: number | null;
  /** What a caller has read of it, as its entity tag; changed by every change that a user makes. */
  declare revision: number;
}

export type IntegrationStatus = 'PENDING' | 'ACTIVE' | 'UNINSTALLED';

export class IntegrationRow extends Model {
  static override tableName = 'tenant_integration';
  static override idColumn = 'tenantIntegrationId';

  declare tenantIntegrationId: string;
  declare tenantId: string;
  /** Null once it is uninstalled. */
  declare secretEncrypted: string | null;
  declare previousSecretEncrypted: string | null;
  declare webhookUrl: string;
  declare status: IntegrationStatus;
  declare rotatedAt: Date | null;
  declare installedAt: Date;
  declare uninstalledAt: Date | null;
}

export class ServiceNumberRow extends Model {
  static override tableName = 'service_number_catalog';
  static override idColumn = ['tenantId', 'serviceNumberId'];

  declare tenantId: string;
  declare serviceNumberId: string;
  declare name: string;
  declare status: 'active' | 'inactive';
}

export class UserRow extends Model {
  static override tableName = 'app_user';
  static override idColumn = ['tenantId', 'platformUserId'];

  declare tenantId: string;
  declare platformUserId: string;
  declare name: string;
  /** The strongest. */
  declare role: Role;
  declare roles: Role[];
  declare lastSignInAt: Date;
}

export class ToolTokenRow extends Model {
  static override tableName = 'tool_token';
  static override idColumn = ['tenantId', 'tokenId'];

  declare tenantId: string;
  declare tokenId: string;
  declare actor: string;
  declare tools: ToolName[];
  declare issuedAt: Date;
  declare expiresAt: Date;
  declare revokedAt: Date | null;
}
