/** Why a rule refuses a field, by code, and how a field error says it. */
export const fieldRefusals = {
  in_past: 'is in the past',
  before_start: 'is before the start',
  fixed_once_sent: 'cannot change once the campaign was sent',
  name_taken: 'is taken',
  unknown_or_archived: 'is unknown or archived',
  unknown_audience: 'is unknown to this service number',
  unknown_task: 'is unknown to the platform',
  inactive_service_number: 'is unknown or no longer active',
  unreachable_contact: 'is unknown or cannot be reached',
  foreign_contact: 'is no contact of the service number',
  expiry_needed: 'a temporary tag needs expiresAt',
} as const;
export type FieldRefusal = keyof typeof fieldRefusals;
