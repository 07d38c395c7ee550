import { Model, snakeCaseMappers } from 'objection';
import type { tagOperators } from '../../domain/api/audiences.ts';
import type { ConsoleRole } from '../../domain/api/internal.ts';
import type { followStates } from '../../domain/api/contacts.ts';
import type { tagKinds, tagSources, tagStatuses } from '../../domain/api/tags.ts';

/** Columns are snake_case in PostgreSQL and in query conditions, camelCase in what is read and written. */
class OutreachModel extends Model {
  static override get columnNameMappers() {
    return snakeCaseMappers();
  }
}

export class Tenant extends OutreachModel {
  static override tableName = 'tenant';
  static override idColumn = 'tenant_id';

  declare tenantId: string;
  declare externalTenantId: string;
  declare name: string;
  declare type: string;
  declare status: 'active' | 'inactive';
}

export type IntegrationStatus = 'PENDING' | 'ACTIVE' | 'UNINSTALLED';

export class TenantIntegration extends OutreachModel {
  static override tableName = 'tenant_integration';
  static override idColumn = 'tenant_integration_id';

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

export class ServiceNumberRow extends OutreachModel {
  static override tableName = 'service_number_catalog';
  static override idColumn = ['tenant_id', 'service_number_id'];

  declare tenantId: string;
  declare serviceNumberId: string;
  declare name: string;
  declare status: 'active' | 'inactive';
}

export class AppUser extends OutreachModel {
  static override tableName = 'app_user';
  static override idColumn = ['tenant_id', 'platform_user_id'];

  declare tenantId: string;
  declare platformUserId: string;
  declare name: string;
  declare role: ConsoleRole;
  declare lastSignInAt: Date;
}

export class ContactProfile extends OutreachModel {
  static override tableName = 'contact_profile';
  static override idColumn = ['tenant_id', 'service_number_id', 'contact_id'];

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

export class TagRow extends OutreachModel {
  static override tableName = 'tag';
  static override idColumn = 'tag_id';

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

export class AudienceRow extends OutreachModel {
  static override tableName = 'audience';
  static override idColumn = 'audience_id';

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

export class AuditLogRow extends OutreachModel {
  static override tableName = 'audit_log';
  static override idColumn = 'audit_id';
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
