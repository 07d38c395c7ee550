import { Model } from 'objection';

export class ServiceNumberRightRow extends Model {
  static override tableName = 'service_number_right';
  static override idColumn = ['tenantId', 'actor'];

  declare tenantId: string;
  /** A user, also one who never signed in, or `key:<id>`. */
  declare actor: string;
  declare serviceNumberIds: string[];
}
