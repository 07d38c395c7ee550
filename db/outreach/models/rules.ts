import { Model } from 'objection';
import type { Rule } from '#domain/api/rules.ts';

/** Name and definition of a rule: changing anything but the name creates a new version. */
export type RuleDefinition = Pick<
  Rule,
  'name' | 'triggerEvent' | 'matchCondition' | 'targetTagId' | 'days' | 'campaignId'
>;

export class RuleRow extends Model {
  static override tableName = 'smart_tag_rule';
  static override idColumn = 'ruleId';
  static override jsonAttributes = ['matchCondition'];

  declare ruleId: string;
  declare tenantId: string;
  declare version: number;
  declare name: string;
  declare triggerEvent: Rule['triggerEvent'];
  declare matchCondition: Rule['matchCondition'];
  declare targetTagId: string;
  declare days: number | null;
  declare campaignId: string | null;
  declare status: Rule['status'];
  declare hitCount: number;
  declare lastExecutedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
  declare removedAt: Date | null;
  /** What a caller has read of it, as its entity tag; changed by every change that a user makes. */
  declare revision: number;
}

export class RuleVersionRow extends Model {
  static override tableName = 'smart_tag_rule_version';
  static override idColumn = ['ruleId', 'version'];
  static override jsonAttributes = ['matchCondition'];

  declare ruleId: string;
  declare version: number;
  declare name: string;
  declare triggerEvent: Rule['triggerEvent'];
  declare matchCondition: Rule['matchCondition'];
  declare targetTagId: string;
  declare days: number | null;
  declare campaignId: string | null;
  declare createdAt: Date;
  declare createdBy: string;
}
