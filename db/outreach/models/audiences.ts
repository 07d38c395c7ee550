import { Model, raw } from 'objection';
import type { savedTypes, tagOperators, Take } from '#domain/api/audiences.ts';
import type { Segment } from '#domain/api/segments.ts';
import type { OutcomePosition, WantedOutcome } from '../outcomes/pages.ts';

/** Which contacts of a campaign a list is filled with, and the progress. */
export interface Collecting extends WantedOutcome, OutcomePosition {
  campaignId: string;
}

/** A value that no row has had. */
export const nextRevision = raw(`nextval('outreach.revision')`);

export class AudienceRow extends Model {
  static override tableName = 'audience';
  static override idColumn = 'audienceId';
  static override jsonAttributes = ['collecting', 'segment', 'take'];

  declare audienceId: string;
  declare tenantId: string;
  declare serviceNumberId: string;
  declare name: string;
  declare type: (typeof savedTypes)[number];
  declare appTagIds: string[];
  declare tagOperator: (typeof tagOperators)[number] | null;
  declare excludeTagIds: string[];
  /** Of type `segment` only. */
  declare segment: Segment | null;
  /** Of a filter: the sample that campaigns draw which name it. */
  declare take: Take | null;
  declare memberCount: number;
  /** Another value with each list of contacts that replaces the former. */
  declare contents: number;
  /** When the list was replaced that can be put back; null if none was. */
  declare replacedAt: Date | null;
  /** What a list is being filled with; null once it is complete. */
  declare collecting: Collecting | null;
  /** What a caller has read of it, as its entity tag; changed by every change that a user makes. */
  declare revision: number;
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
