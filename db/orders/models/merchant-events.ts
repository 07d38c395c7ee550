import { Model } from 'objection';

/** Where a tenant receives its events. */
export class Webhook extends Model {
  static override tableName = 'webhook';
  static override idColumn = 'tenantId';

  declare tenantId: string;
  declare url: string;
  /** Encrypted; the context names the tenant. */
  declare sealedSecret: string;
  declare updatedAt: Date;
}
