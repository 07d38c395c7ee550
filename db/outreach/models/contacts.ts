import { Model } from 'objection';
import type { followStates } from '#domain/api/contacts.ts';

export class ContactProfileRow extends Model {
  static override tableName = 'contact_profile';
  static override idColumn = ['tenantId', 'serviceNumberId', 'contactId'];

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
  /** For each field that events reported: the stamp of the newest event that did. */
  declare fieldTimes: Record<string, string>;
  declare updatedAt: Date;
  /** Microseconds of a list’s order, where it selects them. */
  declare at?: string;
}
