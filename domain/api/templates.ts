import { z } from 'zod';
import { VARIABLE_NAME } from '../campaigns/templates/texts.ts';
import { campaignSchema } from './campaign.ts';
import { messageChoice, needsMessages } from './messages-by.ts';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, text, timestamp } from './primitives.ts';
import { stepsSchema } from './steps.ts';
import { utmSchema } from './utm.ts';
import { variantsSchema } from './variants.ts';

/** Templates of a tenant at once. */
export const maximumTemplates = 500;

/** A `message` is a snippet: one message of any type, which the editor puts into a campaign that is being written. */
export const templateKinds = ['card', 'campaign', 'message'] as const;
export type TemplateKind = (typeof templateKinds)[number];

const variableName = z.string().regex(VARIABLE_NAME);

export const templateVariableSchema = z.object({
  /** As it is written in texts: `{{name}}`. */
  name: variableName,
  /** Label shown when filling it in; defaults to the name. */
  label: label(100).optional(),
  /** Without one, a campaign cannot be made until somebody fills it. */
  default: text(1000).optional(),
});
export type TemplateVariable = z.infer<typeof templateVariableSchema>;

const variables = z
  .array(templateVariableSchema)
  .max(30)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must name each variable once');

/**
 * What a campaign that is made from it begins with. A `card` has one message, a card with buttons; a `message` has one message of
 * any type.
 */
export const templateContentSchema = z
  .object({
    campaignName: text(200).nullable(),
    note: text(2000).nullable(),
    ...messageChoice,
    /** `utm_…` parameters added to the links of its buttons; existing ones are kept. */
    utm: utmSchema.nullable().optional(),
    /** Of a whole campaign: the test of its messages, and what follows it. */
    variants: variantsSchema.nullable().optional(),
    steps: stepsSchema.nullable().optional(),
  })
  .check(needsMessages);
export type TemplateContent = z.infer<typeof templateContentSchema>;

export const templateVersionSchema = z
  .object({
    version: z.int(),
    content: templateContentSchema,
    variables: z.array(templateVariableSchema),
    /** The version that it is the same as, where it was restored. */
    restoredFrom: z.int().nullable(),
    createdBy: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'TemplateVersion' });
export type TemplateVersion = z.infer<typeof templateVersionSchema>;

export const listedTemplateSchema = z
  .object({
    templateId: ownId,
    etag,
    name: z.string(),
    kind: z.enum(templateKinds),
    /** Null: for all service numbers. */
    serviceNumberId: z.string().nullable(),
    /** The newest, which campaigns are made from. */
    version: z.int(),
    variables: z.array(templateVariableSchema),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedBy: z.string(),
    updatedAt: timestamp,
  })
  .meta({ id: 'ListedTemplate' });
export type ListedTemplate = z.infer<typeof listedTemplateSchema>;

export const templateSchema = listedTemplateSchema.extend({ content: templateContentSchema }).meta({ id: 'Template' });
export type Template = z.infer<typeof templateSchema>;

const written = { name: label(200), content: templateContentSchema, variables };

export const createTemplateSchema = z.object({
  ...written,
  variables: variables.default([]),
  kind: z.enum(templateKinds),
  serviceNumberId: platformId.nullish(),
});
export type CreateTemplate = z.output<typeof createTemplateSchema>;

export const updateTemplateSchema = z.object({
  ...z.object(written).partial().shape,
  /** The version that the caller read: a later one is not overwritten. */
  basedOn: z.int().optional(),
});
export type UpdateTemplate = z.output<typeof updateTemplateSchema>;

const templateId = z.object({ templateId: ownId });
const tag = 'campaigns';

/** What campaigns are made from. */
export const templateOperations = {
  listTemplates: operation({
    method: 'get',
    path: '/templates',
    tag,
    summary: 'Templates, those that were changed last first',
    access: 'read',
    query: z.object({
      ...pageQuery,
      kind: z.enum(templateKinds).optional(),
      serviceNumberId: platformId.optional(),
      /** A part of the name. */
      q: text(200).optional(),
    }),
    status: 200,
    response: page(listedTemplateSchema),
  }),
  createTemplate: operation({
    method: 'post',
    path: '/templates',
    tag,
    summary:
      'Keeps a card, any one message as a snippet, or a campaign with its variants and what follows, to make campaigns from',
    description:
      'Texts may have variables, written `{{name}}`, which are declared in `variables` and filled once for each campaign ' +
      `that is made from it. 409 \`conflict\` with ${maximumTemplates} templates.`,
    access: 'write',
    body: createTemplateSchema,
    status: 201,
    response: templateSchema,
    errors: ['invalid_content', 'conflict'],
  }),
  getTemplate: operation({
    method: 'get',
    path: '/templates/{templateId}',
    tag,
    summary: 'One template with its newest version',
    access: 'read',
    params: templateId,
    status: 200,
    response: templateSchema,
    errors: ['not_found'],
  }),
  updateTemplate: operation({
    method: 'patch',
    path: '/templates/{templateId}',
    tag,
    summary: 'Renames a template, or gives it a new version',
    description: '409 `conflict` if the template has another version than `basedOn` by now. Earlier versions stay.',
    access: 'write',
    params: templateId,
    headers: ifMatch,
    readOnly: ['templateId', 'kind', 'serviceNumberId', 'createdBy', 'createdAt'],
    body: updateTemplateSchema,
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'stale', 'conflict', 'invalid_content'],
  }),
  deleteTemplate: operation({
    method: 'delete',
    path: '/templates/{templateId}',
    tag,
    summary: 'Deletes a template with its versions; campaigns that were made from it stay as they are',
    access: 'write',
    params: templateId,
    headers: ifMatch,
    status: 204,
    errors: ['not_found', 'stale'],
  }),
  listTemplateVersions: operation({
    method: 'get',
    path: '/templates/{templateId}/versions',
    tag,
    summary: 'The versions of a template, newest first',
    access: 'read',
    params: templateId,
    query: z.object(pageQuery),
    status: 200,
    response: page(templateVersionSchema),
    errors: ['not_found'],
  }),
  restoreTemplate: operation({
    method: 'post',
    path: '/templates/{templateId}:restore',
    tag,
    summary: 'Gives a template a new version that is the same as an earlier one',
    access: 'write',
    params: templateId,
    body: z.object({ version: z.int(), basedOn: z.int() }),
    status: 200,
    response: templateSchema,
    errors: ['not_found', 'conflict'],
  }),
  useTemplate: operation({
    method: 'post',
    path: '/templates/{templateId}:use',
    tag,
    summary: 'Makes a draft from the newest version, with a value for each variable',
    description:
      'The filled texts are the campaign’s own: it says which version they are from (`template`), and changes of the ' +
      'template do not reach it. A variable without a value has its default. In addresses, values are encoded.',
    access: 'write',
    params: templateId,
    body: z.object({
      serviceNumberId: platformId,
      /** Of the campaign; the template's, filled, where it is left out. */
      name: label(200).optional(),
      values: z.record(variableName, text(1000)).default({}),
    }),
    status: 201,
    response: campaignSchema,
    errors: ['not_found', 'invalid_content'],
  }),
};
