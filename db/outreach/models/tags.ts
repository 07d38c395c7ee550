import { Model } from 'objection';
import type { tagKinds, tagSources, tagStatuses } from '../../../domain/api/tags.ts';
import type { ClickFilter } from '../clicks/pages.ts';

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

/** Those who clicked in a campaign are being given a tag; the row goes with the last page. */
export class ClickerTaggingRow extends Model {
  static override tableName = 'clicker_tagging';
  static override idColumn = 'taggingId';
  static override jsonAttributes = ['filter'];

  declare taggingId: string;
  declare tenantId: string;
  declare tagId: string;
  declare campaignId: string;
  declare serviceNumberId: string;
  declare filter: ClickFilter;
  /** The time of the last click that was read, in microseconds; null before the first page. */
  declare afterClick: string | null;
  declare assignedBy: string;
  declare updatedAt: Date;
}
