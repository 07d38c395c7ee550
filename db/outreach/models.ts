import { Model } from 'objection';
import type { tagOperators } from '../../domain/api/audiences.ts';
import type { ConsoleRole } from '../../domain/api/internal.ts';
import type { followStates } from '../../domain/api/contacts.ts';
import type { tagKinds, tagSources, tagStatuses } from '../../domain/api/tags.ts';

export class Tenant extends Model {
  static override tableName = 'tenant';
  static override idColumn = 'tenantId';

  declare tenantId: string;
  declare externalTenantId: string;
  declare name: string;
  declare type: string;
  declare status: 'active' | 'inactive';
}

export type IntegrationStatus = 'PENDING' | 'ACTIVE' | 'UNINSTALLED';

export class TenantIntegration extends Model {
  static override tableName = 'tenant_integration';
  static override idColumn = 'tenantIntegrationId';

  declare tenantIntegrationId: string;
  declare tenantId: string;
  declare secretEncrypted: string;
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

export class AppUser extends Model {
  static override tableName = 'app_user';
  static override idColumn = ['tenantId', 'platformUserId'];

  declare tenantId: string;
  declare platformUserId: string;
  declare name: string;
  declare role: ConsoleRole;
  declare lastSignInAt: Date;
}

export class ContactProfile extends Model {
  static override tableName = 'contact_profile';
  static override idColumn = ['tenantId', 'serviceNumberId', 'contactId'];

  declare tenantId: string;
  declare serviceNumberId: string;
  declare contactId: string;
  declare displayName: string | null;
  declare channel: string | null;
  declare language: string | null;
  declare region: string | null;
  declare attributes: Record<string, unknown>;
  declare followState: (typeof followStates)[number];
  declare unsubscribed: boolean;
  declare enteredAt: Date | null;
  /** For each thing that events said: the stamp of the newest that did. */
  declare fieldTimes: Record<string, string>;
  declare updatedAt: Date;
}

export class TagRow extends Model {
  static override tableName = 'tag';
  static override idColumn = 'tagId';

  declare tagId: string;
  declare tenantId: string;
  declare serviceNumberId: string;
  declare name: string;
  declare source: (typeof tagSources)[number];
  declare kind: (typeof tagKinds)[number];
  declare color: string | null;
  declare status: (typeof tagStatuses)[number];
  declare expiresAt: Date | null;
  declare contactCount: number;
  declare createdAt: Date;
  /** The lower-case name, where a list was sorted by it. */
  declare sortKey?: string;
}

export class AudienceRow extends Model {
  static override tableName = 'audience';
  static override idColumn = 'audienceId';

  declare audienceId: string;
  declare tenantId: string;
  declare serviceNumberId: string;
  declare name: string;
  declare type: 'contacts' | 'app_tags';
  declare appTagIds: string[];
  declare tagOperator: (typeof tagOperators)[number] | null;
  declare excludeTagIds: string[];
  declare memberCount: number;
  declare createdBy: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}

export class AuditLogRow extends Model {
  static override tableName = 'audit_log';
  static override idColumn = 'auditId';
  static override jsonAttributes = ['before', 'after'];

  declare auditId: string;
  declare tenantId: string;
  declare at: Date;
  declare actor: string;
  declare action: string;
  declare objectType: string;
  declare objectId: string;
  declare before: unknown;
  declare after: unknown;
  declare requestId: string | null;
}
