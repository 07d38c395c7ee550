import { Model } from 'objection';
import type { tagKinds, tagSources, tagStatuses } from '#domain/api/tags.ts';
import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import type { ClickFilter } from '../clicks/filter.ts';
import type { OutcomePosition } from '../outcomes/pages.ts';

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
  declare archivedAt: Date | null;
  /** What a caller has read of it, as its entity tag; changed by every change that a user makes. */
  declare revision: number;
  /** The lower-case name, for lists sorted by it. */
  declare at?: string;
}

/** The contacts of a campaign with an outcome are being given a tag; the row goes with the last page. */
export class OutcomeTaggingRow extends Model {
  static override tableName = 'clicker_tagging';
  static override idColumn = 'taggingId';
  static override jsonAttributes = ['filter', 'afterTask'];

  declare taggingId: string;
  declare tenantId: string;
  declare tagId: string;
  declare campaignId: string;
  declare serviceNumberId: string;
  declare who: ContactOutcome;
  declare filter: ClickFilter;
  declare afterClick: OutcomePosition['afterClick'];
  declare afterTask: OutcomePosition['afterTask'];
  declare assignedBy: string;
  declare updatedAt: Date;
}
