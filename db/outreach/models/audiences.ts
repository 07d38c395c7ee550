import { Model } from 'objection';
import type { tagOperators } from '../../../domain/api/audiences.ts';

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

/** A contact of a saved list. */
export class AudienceMemberRow extends Model {
  static override tableName = 'audience_member';
  static override idColumn = ['audienceId', 'contactId'];

  declare audienceId: string;
  declare contactId: string;
}
