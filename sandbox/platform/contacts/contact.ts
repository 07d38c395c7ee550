/** A contact of a service number, complete as its webhooks show it. */
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
