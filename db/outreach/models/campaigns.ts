import { Model } from 'objection';
import type { CopyBrief, CopyDrafts } from '#domain/api/ai.ts';
import type { CampaignStatus, CancelOutcome, PauseReason } from '#domain/api/campaign.ts';
import { type CampaignContent, jsonFields } from '#domain/campaigns/fields.ts';

/** The fields that users edit are columns of the same name: domain/campaigns/fields.ts lists them. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- rows come from the database, where they are set
export interface CampaignRow extends CampaignContent {}

export class CampaignRow extends Model {
  static override tableName = 'campaign';
  static override idColumn = 'campaignId';
  static override jsonAttributes = jsonFields;

  declare campaignId: string;
  declare tenantId: string;
  /** It holds what an automation sends, and is in no list. */
  declare automation: boolean;
  declare status: CampaignStatus;
  declare pauseReason: PauseReason | null;
  declare cancelRequested: boolean;
  declare endedByUninstall: boolean;
  declare cancelOutcome: CancelOutcome | null;
  declare sentTwice: number;
  declare templateId: string | null;
  declare templateVersion: number | null;
  declare sourceId: string | null;
  /** What a caller has read of it, as its entity tag; changed by every change that a user makes. */
  declare revision: number;
  declare dispatches: number;
  declare createdBy: string;
  declare editedBy: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare sentAt: Date | null;
  /** When it was first sent: the name in its links. */
  declare sentName: string | null;
  declare startedAt: Date | null;
  declare finishedAt: Date | null;
  declare closedAt: Date | null;
}

export class EntrySourceRow extends Model {
  static override tableName = 'entry_source';
  static override idColumn = ['tenantId', 'sourceId'];
  static override relationMappings = {
    campaign: {
      relation: Model.BelongsToOneRelation,
      modelClass: CampaignRow,
      join: { from: 'entry_source.campaignId', to: 'campaign.campaignId' },
    },
  };

  declare tenantId: string;
  declare sourceId: string;
  declare campaignId: string;
  /** The number of changes to the campaign that the platform should know about. */
  declare wanted: number;
  /** How many of them have been reported to it (F2). */
  declare told: number;
  declare endedAt: Date | null;
  declare errorCode: string | null;
  declare errorMessage: string | null;
  declare errorCall: 'update' | 'end' | null;
  declare errorAt: Date | null;
}

export class CopywritingRow extends Model {
  static override tableName = 'copywriting';
  static override idColumn = 'copywritingId';
  static override jsonAttributes = ['brief', 'drafts'];

  declare copywritingId: string;
  declare tenantId: string;
  declare requestedBy: string;
  declare brief: CopyBrief;
  declare status: 'pending' | 'written' | 'failed';
  declare drafts: CopyDrafts | null;
  declare failure: 'refused' | 'misconfigured' | 'failed' | null;
  declare error: string | null;
  declare endedAt: Date | null;
}
