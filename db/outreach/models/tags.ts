import { Model } from 'objection';
import type { tagKinds, tagSources, tagStatuses } from '../../../domain/api/tags.ts';

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
  /** The lower-case name, for lists sorted by it. */
  declare at?: string;
}
