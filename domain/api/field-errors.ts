/** Limits and ids that an error mentions. */
export type FieldErrorParams = Record<string, number | string>;

/** Why a rule rejects a field, by code, and the message of the field error; `{…}` stands for one of its params. */
export const fieldErrorCodes = {
  in_past: 'is in the past',
  in_future: 'is in the future',
  not_kept: 'is earlier than {since}, from when on it is kept',
  changed_since: 'has changed since then',
  before_start: 'is before the start',
  fixed_once_sent: 'cannot be changed once the campaign has been sent',
  name_taken: 'is taken',
  unknown_or_archived: 'is unknown or archived',
  unknown_audience: 'is unknown to this service number',
  no_list: 'is no list of contacts',
  incomplete_list: 'is still being filled',
  no_bound: 'needs gte or lte',
  reversed_bounds: 'must not be less than gte',
  unknown_task: 'is unknown to the platform',
  patterns_too_long: 'makes the patterns of all rules too long together',
  unknown_campaign: 'is unknown to the service number',
  unknown_service_number: 'is unknown',
  inactive_service_number: 'is unknown or no longer active',
  unreachable_contact: '{contactId} is unknown or cannot be reached',
  foreign_contact: '{contactId} is not a contact of the service number',
  not_test_contact: '{contactId} is not a test contact',
  foreign_cursor: 'is not a cursor of this list',
  later_phase: 'ai_query is not part of this phase',
  of_tags_only: 'belongs to type app_tags',
  of_filters_only: 'belongs to types app_tags and segment',
  of_lists_only: 'belongs to type contacts',
  needed_for_tags: 'is needed for type app_tags',
  of_segments_only: 'belongs to type segment',
  needed_for_segments: 'is needed for type segment',
  unchangeable: 'cannot be changed',
  no_json: 'is not valid JSON',
  no_json_object: 'must be a JSON object',
  unknown_tag: 'is unknown to the service number',
  unknown_variant: 'is no variant of the campaign',
  refused_variant: 'was refused by the platform',
  unknown_button: 'is about a button that the message before does not have',
  after_campaign_end: 'is not over before the campaign ends',
  unknown_event: 'event must be Broadcast or InboundReason',
  foreign_app: 'appId belongs to another application',
  expiry_needed: 'a temporary tag needs expiresAt',
  days_needed: 'is needed for no_response_for_N_days',
  days_unused: 'belongs to no_response_for_N_days only',
  no_longer_kept: 'is earlier than the {days} days that events are kept',
  after_end: 'must be before `to`',
  period_too_long: 'must be at most {days} days before `to`',
  no_control_group: 'there is no control group',
  before_control_group: 'must not be before the control group was as it is now, {since}',
  before_from: 'must be after `from`',
  calendar_too_long: 'must be at most {days} days after `from`',
  image_type: 'must be a PNG, JPEG, GIF or WebP image',
  image_broken: 'is not a whole image: something is missing at its end, or follows it',
  one_card: 'must be one message with buttons',
  one_message: 'must be one message',
  variable_undeclared: '{name} is used and not declared',
  variable_unknown: 'is not a variable of the template',
  variable_missing: 'has no value',
  filled_too_long: 'is too long, or no address, once it is filled',
  not_public: 'must be https, on the public internet',
  no_time_left: 'leaves no time at which it would run',
  messages_or_by: 'cannot be there beside messages, or variants',
  in_another_case: 'is in another case as well',
  no_case: '{contactId} is in no case: nothing is sent to it',
  of_later_steps: 'belongs to later steps',
  currency_needed: 'is needed with minAmount',
  delay_needed: 'is needed for every step but the first',
  year_out_of_range: 'must be between the years 2000 and 2100',
} as const;
export type FieldErrorCode = keyof typeof fieldErrorCodes;

/** Why a schema rejects a field, by code. The message is the schema's own; its limit, if any, is `limit`. */
export const schemaErrorCodes = [
  'wrong_kind',
  'no_choice',
  'blank',
  'too_long',
  'too_many',
  'too_few',
  'too_high',
  'too_low',
  'no_address',
  'no_moment',
  'unstorable',
  'too_deep',
  'list_or_ids',
  'attribute_name',
  'reversed_days',
  'no_quiet_hours',
  'one_rate',
  'same_names',
  'above_hundred',
  'of_clicks_only',
  'malformed',
] as const;
export type SchemaErrorCode = (typeof schemaErrorCodes)[number];

/** The message of a field error. */
export function fieldErrorMessage(code: FieldErrorCode, params: FieldErrorParams = {}): string {
  return fieldErrorCodes[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
}

/** A schema refinement that also gives its reason as a code. */
export function refinement(code: FieldErrorCode | SchemaErrorCode, message: string) {
  return { message, params: { code } };
}
