/** A contact of a service number, with everything its webhooks show. */
export interface Contact {
  contactId: string;
  displayName?: string;
  channel?: string;
  language?: string;
  region?: string;
  attributes?: Record<string, unknown>;
  following: boolean;
  unsubscribed: boolean;
  labels: string[];
}
