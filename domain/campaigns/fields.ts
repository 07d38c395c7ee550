import type { CampaignBody, CampaignPatch, ContentFields } from '../api/campaign.ts';
import type { Pace, WrittenPace } from '../api/pace.ts';
import { withChoice } from './cases/cases.ts';

/** How far a campaign is: not sent yet, sent with its start still to come, or started. */
export type CampaignStage = 'draft' | 'scheduled' | 'started';

interface CampaignField {
  /** How the column stores it: as written, as JSON, or as a timestamp that is ISO 8601 text on the wire. */
  stored: 'plain' | 'json' | 'time';
  /** The last stage in which it may change; F2 reports name and end to the platform. */
  changeableWhile: CampaignStage;
  /** Whether tasks that the platform has (A1) contain it: they are cancelled and submitted again if it changes. */
  inTasks: boolean;
}

/** Every field of a campaign that people edit. Patches, audit, copies, columns and presentation follow this table. */
export const campaignFields = {
  name: { stored: 'plain', changeableWhile: 'started', inTasks: true },
  note: { stored: 'plain', changeableWhile: 'started', inTasks: true },
  channels: { stored: 'plain', changeableWhile: 'draft', inTasks: true },
  messages: { stored: 'json', changeableWhile: 'scheduled', inTasks: true },
  messagesBy: { stored: 'json', changeableWhile: 'scheduled', inTasks: true },
  variants: { stored: 'json', changeableWhile: 'draft', inTasks: true },
  audience: { stored: 'json', changeableWhile: 'draft', inTasks: true },
  schedule: { stored: 'json', changeableWhile: 'scheduled', inTasks: true },
  endsAt: { stored: 'time', changeableWhile: 'started', inTasks: false },
  holdoutPercent: { stored: 'plain', changeableWhile: 'draft', inTasks: false },
  revenueWindowDays: { stored: 'plain', changeableWhile: 'draft', inTasks: true },
  pace: { stored: 'json', changeableWhile: 'started', inTasks: false },
  steps: { stored: 'json', changeableWhile: 'draft', inTasks: false },
  utm: { stored: 'json', changeableWhile: 'draft', inTasks: true },
  labels: { stored: 'plain', changeableWhile: 'started', inTasks: false },
} as const satisfies Record<keyof ContentFields, CampaignField>;

export type FieldName = keyof ContentFields;

type Stored<Name extends FieldName> = (typeof campaignFields)[Name]['stored'] extends 'time'
  ? Date | Extract<ContentFields[Name], null>
  : ContentFields[Name];

/** The editable fields as stored in the database. */
export type StoredFields = { [Name in FieldName]: Stored<Name> };

/** The part of a campaign that people write; its service number cannot be changed later. */
export type CampaignContent = StoredFields & { serviceNumberId: string };

const entries = Object.entries(campaignFields) as [FieldName, CampaignField][];

/** Columns that contain JSON. */
export const jsonFields: FieldName[] = entries.flatMap(([name, { stored }]) => (stored === 'json' ? [name] : []));

/** Builds the fields one by one; the caller guarantees the type of each value. */
const build = <Fields>(valueOf: (name: FieldName, field: CampaignField) => unknown) =>
  Object.fromEntries(entries.map(([name, field]) => [name, valueOf(name, field)])) as Fields;

const toStored = (value: unknown, { stored }: CampaignField) =>
  stored === 'time' && typeof value === 'string' ? new Date(value) : (value ?? null);

/** Quiet hours that are written as `none` are stored as nothing. */
function storedPace(pace: WrittenPace | null | undefined): Pace | null | undefined {
  const { quietHours, ...others } = pace ?? {};
  return quietHours === 'none' ? others : (pace as Pace | null | undefined);
}

/** What is written in several ways, as it is stored. */
const normalised = <Written extends CampaignPatch>({ pace, labels, steps, ...others }: Written) => ({
  ...others,
  pace: storedPace(pace),
  labels: labels && [...new Set(labels)],
  steps: steps?.map(withChoice) ?? steps,
});

/** Messages replace those by case, and the other way round. */
const replacing = ({ messages, messagesBy }: CampaignPatch): CampaignPatch => ({
  ...(messages && messagesBy === undefined && { messagesBy: null }),
  ...(messagesBy && messages === undefined && { messages: null }),
});

/** Only the editable fields of a campaign. */
export function fieldsOf(campaign: StoredFields): StoredFields {
  return build<StoredFields>((name) => campaign[name]);
}

/** The content of a new campaign. */
export function contentOf(body: CampaignBody): CampaignContent {
  const content = normalised(body);
  const fields = build<StoredFields>((name, field) => toStored(content[name], field));
  return { ...fields, serviceNumberId: body.serviceNumberId };
}

/** The fields after a patch; those not given are kept. */
export function patchedFields(before: StoredFields, patch: CampaignPatch): StoredFields {
  const change = normalised({ ...patch, ...replacing(patch) });
  return build<StoredFields>((name, field) =>
    change[name] === undefined ? before[name] : toStored(change[name], field),
  );
}

/** The fields in their wire format. */
export function presentFields(campaign: StoredFields): ContentFields {
  return build<ContentFields>((name) => {
    if (name === 'steps') return campaign.steps?.map(withChoice) ?? null;
    const value = campaign[name];
    return value instanceof Date ? value.toISOString() : value;
  });
}

const stages: readonly CampaignStage[] = ['draft', 'scheduled', 'started'];

/** Fields of a patch that may not change any more at this stage, including the service number. */
export function fixedFields(patch: CampaignPatch, stage: CampaignStage): string[] {
  const fields: Record<string, CampaignField | undefined> = campaignFields;
  return Object.entries(patch).flatMap(([name, value]) => {
    const last = fields[name]?.changeableWhile ?? 'draft';
    return value === undefined || stages.indexOf(stage) <= stages.indexOf(last) ? [] : [name];
  });
}

/** The fields that tasks contain. */
export const fieldsInTasks: FieldName[] = entries.flatMap(([name, { inTasks }]) => (inTasks ? [name] : []));

/** Those of them that somebody has to approve: the note is for operators. */
export const approvedFields: FieldName[] = fieldsInTasks.filter((name) => name !== 'note');
