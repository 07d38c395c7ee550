import type { Automation } from '#domain/api/automations.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Contact } from '#domain/api/contacts.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Repeat } from '#domain/api/repeats.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from '#scripts/demo/client.ts';
import { finishedCampaign, operator } from '#scripts/demo/content.ts';
import type { Samples } from './console-addresses.ts';

interface StaffPage<Item> {
  data: { items: Item[] };
}

function first<Item>(what: string, { items }: { items: Item[] }): Item {
  const [item] = items;
  if (item === undefined) throw new Error(`the demonstration has no ${what}`);
  return item;
}

/** Ids that exist in the demonstration, for every parameter of a console address. */
export async function samplesOfDemo(api: JsonClient): Promise<Samples> {
  const query = new URLSearchParams({ status: 'completed', q: finishedCampaign, limit: '1' });
  const sent = first('finished campaign', await api.get<Page<Campaign>>(`/campaigns?${query.toString()}`));
  const draft = first('draft', await api.get<Page<Campaign>>('/campaigns?status=draft&limit=1'));
  const tag = first('tag', await api.get<Page<Tag>>('/tags?limit=1'));
  const rule = first('rule', await api.get<Page<Rule>>('/smart-tag-rules?limit=1'));
  const repeat = first('repeat', await api.get<Page<Repeat>>('/repeats?limit=1'));
  const automation = first('automation', await api.get<Page<Automation>>('/automations?limit=1'));
  const audience = first('audience', await api.get<Page<SavedAudience>>('/audiences?limit=1'));
  const { serviceNumberId } = sent;
  const contact = first(
    'contact',
    await api.get<Page<Contact>>(`/contacts?serviceNumberId=${serviceNumberId}&tagId=${tag.tagId}&limit=1`),
  );
  const event = first('event', await api.get<Page<{ eventId: string }>>('/event-inbox?limit=1'));
  const entry = first('audit entry', await api.get<Page<{ auditId: string }>>('/audit-log?limit=1'));
  const orders = await api.get<StaffPage<{ orderId: string }>>('/transaction/v1/admin/orders');
  const { orderId } = first('order', orders.data);
  const goods = await api.get<StaffPage<{ goodsId: string }>>('/transaction/v1/admin/goods');
  const { goodsId } = first('goods', goods.data);
  return {
    id: sent.id,
    'app.campaign-edit:id': draft.id,
    'embed.campaign-edit:id': draft.id,
    snId: serviceNumberId,
    contactId: contact.contactId,
    tagId: tag.tagId,
    ruleId: rule.ruleId,
    repeatId: repeat.repeatId,
    automationId: automation.automationId,
    audienceId: audience.audienceId,
    orderId,
    goodsId,
    userId: operator.sub,
    // The day that the nightly comparison is about.
    date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    eventId: event.eventId,
    auditId: entry.auditId,
    rest: 'nowhere',
  };
}

/** Ids that exist nowhere, to see what the same pages say then. */
export const samplesOfNothing: Samples = Object.fromEntries(
  [
    'id',
    'snId',
    'contactId',
    'tagId',
    'ruleId',
    'repeatId',
    'automationId',
    'audienceId',
    'orderId',
    'goodsId',
    'userId',
    'date',
    'eventId',
    'auditId',
    'rest',
  ].map((name) => [name, 'nothing']),
);
