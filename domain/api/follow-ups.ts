import { z } from 'zod';
import { contactOutcomes } from '../contacts/outcomes.ts';
import { savedAudienceSchema } from './audiences.ts';
import { campaignSchema } from './campaign.ts';
import { operation } from './operation.ts';
import { label, ownId, text } from './primitives.ts';

const id = z.object({ id: ownId });
const tag = 'campaigns';

const index = z.int().min(0).max(1_000_000).optional();

/** Which clicks of a campaign; all of them without any. */
const clicks = { messageIndex: index, actionIndex: index, bizEventCode: text(512).min(1).optional() };

/** The same in an address. */
export const clickFilterQuery = {
  messageIndex: z.coerce.number().pipe(z.int().min(0).max(1_000_000)).optional(),
  actionIndex: z.coerce.number().pipe(z.int().min(0).max(1_000_000)).optional(),
  bizEventCode: clicks.bizEventCode,
};

const description =
  'Contacts that the service number does not know any more are left out. Large numbers take longer than a request: after ' +
  '20 s the rest is done in the background.';

const taggingSchema = z.object({
  /** How many contacts have been given the tag so far. */
  assigned: z.int(),
  finished: z.boolean(),
});

/** What the contacts of a campaign did; a button or an event code narrows `clicked` and `not_clicked`. */
const outcome = z.enum(contactOutcomes);

/** What a campaign's clicks, and other outcomes, lead to. */
export const followUpOperations = {
  saveClickers: operation({
    method: 'post',
    path: '/campaigns/{id}/clicks:save-audience',
    tag,
    summary: 'Saves those who clicked as a list',
    description: `${description} The list has \`isComplete\` once everybody is in it.`,
    access: 'write',
    changes: 'audiences',
    params: id,
    body: z.object({ name: label(200), ...clicks }),
    status: 201,
    response: savedAudienceSchema,
    errors: ['not_found', 'invalid_content'],
  }),
  tagClickers: operation({
    method: 'post',
    path: '/campaigns/{id}/clicks:tag',
    tag,
    summary: 'Gives a tag to those who clicked; whoever has it keeps it as it is',
    description,
    access: 'write',
    changes: 'tags',
    params: id,
    body: z.object({ tagId: ownId, ...clicks }),
    status: 200,
    response: taggingSchema,
    errors: ['not_found', 'invalid_state', 'invalid_content'],
  }),
  saveCampaignContacts: operation({
    method: 'post',
    path: '/campaigns/{id}/contacts:save-audience',
    tag,
    summary: 'Saves the contacts with an outcome as a list, which does not change with the campaign',
    description: `${description} The list has \`isComplete\` once everybody is in it.`,
    access: 'write',
    changes: 'audiences',
    params: id,
    body: z.object({ name: label(200), outcome, ...clicks }),
    status: 201,
    response: savedAudienceSchema,
    errors: ['not_found', 'invalid_content'],
  }),
  tagCampaignContacts: operation({
    method: 'post',
    path: '/campaigns/{id}/contacts:tag',
    tag,
    summary: 'Gives a tag to the contacts with an outcome; whoever has it keeps it as it is',
    description,
    access: 'write',
    changes: 'tags',
    params: id,
    body: z.object({ tagId: ownId, outcome, ...clicks }),
    status: 200,
    response: taggingSchema,
    errors: ['not_found', 'invalid_state', 'invalid_content'],
  }),
  followUpCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:follow-up',
    tag,
    summary: 'Copies the content into a new draft for those who received the campaign and did not click',
    description: `Its audience is a new list. ${description} The draft can be sent once the list is complete.`,
    access: 'write',
    params: id,
    body: z.object({
      /** Of the draft. */
      name: label(200),
      /** Of its list. */
      audienceName: label(200),
    }),
    status: 201,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state', 'invalid_content'],
  }),
};
