import type { Settings } from './settings/settings.ts';

/** For how many days what is kept: a server setting each. */
export interface Retention {
  /** Events and their payloads. */
  events: number;
  /** Who was in the frozen audience of a send, and who entered automations. */
  recipients: number;
  /** Clicks, conversations, payments of contacts, and when contacts followed or left. */
  timeline: number;
  /** The audit log and the history of campaigns. */
  audit: number;
  /** Everything of a tenant, from its uninstallation; null: for as long as there is the database. */
  uninstalled: number | null;
}

export type RetentionSettings = Pick<
  Settings,
  | 'RETENTION_EVENTS_DAYS'
  | 'RETENTION_RECIPIENTS_DAYS'
  | 'RETENTION_TIMELINE_DAYS'
  | 'RETENTION_AUDIT_DAYS'
  | 'RETENTION_UNINSTALLED_DAYS'
>;

export const retentionOf = (settings: RetentionSettings): Retention => ({
  events: settings.RETENTION_EVENTS_DAYS,
  recipients: settings.RETENTION_RECIPIENTS_DAYS,
  timeline: settings.RETENTION_TIMELINE_DAYS,
  audit: settings.RETENTION_AUDIT_DAYS,
  uninstalled: settings.RETENTION_UNINSTALLED_DAYS,
});

/** What is older than this is no longer kept; days of 24 hours. */
export const keptSince = (days: number, now: Date): Date => new Date(now.getTime() - days * 86_400_000);
