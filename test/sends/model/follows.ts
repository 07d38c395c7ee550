/** An event that may bring a contact in. */
export interface Follow {
  eventId: string;
  contactId: string;
  /** The automation was known to be active, and so takes it. */
  counts: boolean;
}
