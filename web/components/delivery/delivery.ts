/** The state of a delivery to a webhook endpoint, of a merchant or a tenant. */
export interface Delivery {
  deliveryId: string;
  eventId: string;
  type: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** The HTTP status of the last attempt. */
  lastStatus: number | null;
  /** Why there was no response. */
  lastError: string | null;
  nextAttemptAt: string | null;
  createdAt: string;
}

/** Whether it looks like an address that events can be posted to; the service decides. */
export const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]+/.test(text.trim());
