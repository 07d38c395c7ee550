import type { Page } from '#domain/api/primitives.ts';
import type { CreateTemplate, ListedTemplate } from '#domain/api/templates.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import type { JsonClient } from './client.ts';

const menu: CreateTemplate = {
  name: 'Menu of a season',
  kind: 'card',
  variables: [
    { name: 'season', label: 'Season' },
    { name: 'until', label: 'Last day', default: 'the end of the month' },
  ],
  content: {
    campaignName: '{{season}} menu',
    note: null,
    utm: { source: 'harbor-coffee', medium: 'message', campaign: '{campaign}', content: 'button-{button}' },
    messages: [
      {
        type: 'buttons',
        title: '{{season}} at Harbor Coffee',
        text: 'The {{season}} menu is here until {{until}}.',
        actions: [
          { type: 'Url', label: 'See the menu', url: 'https://harbor-coffee.example/menu?season={{season}}' },
          { type: 'Postback', label: 'Keep me a table', data: { bizEventCode: 'TABLE', season: '{{season}}' } },
        ],
      },
    ],
  },
};

/** What may stand in any campaign: a piece of text, and a card that ends one. */
const snippets: CreateTemplate[] = [
  {
    name: 'Opening hours',
    kind: 'message',
    variables: [{ name: 'shop', label: 'Shop', default: 'the harbor' }],
    content: {
      campaignName: null,
      note: null,
      messages: [{ type: 'text', text: 'Our shop at {{shop}} is open from seven to seven, on Sundays from nine.' }],
    },
  },
  {
    name: 'Talk to us',
    kind: 'message',
    variables: [],
    content: {
      campaignName: null,
      note: null,
      messages: [
        {
          type: 'buttons',
          title: 'Questions?',
          text: 'We reply within the hour.',
          actions: [
            { type: 'Postback', label: 'Write to us', data: { bizEventCode: 'QUESTION', event: 'InboundReason' } },
          ],
        },
      ],
    },
  },
];

/** A card with two variables, in its second version, and two snippets. */
export async function seedTemplates(api: JsonClient): Promise<void> {
  const { items } = await api.get<Page<ListedTemplate>>('/templates?limit=200');
  const missing = (one: CreateTemplate) => !items.some(({ name }) => name === one.name);
  for (const snippet of snippets.filter(missing)) await api.post('/templates', snippet);
  if (!missing(menu)) return;
  const content = { ...menu.content, campaignName: null };
  const first = await api.post<ListedTemplate>('/templates', { ...menu, content });
  await api.patch(`/templates/${first.templateId}`, { content: menu.content, basedOn: first.version });
}

/** Links of the campaigns that are written from now on say where a visitor came from; those before stay as they were sent. */
export async function seedUtm(api: JsonClient): Promise<void> {
  const { utm } = await api.get<TenantSettings>('/tenant-settings');
  if (utm === null)
    await api.patch('/tenant-settings', {
      utm: { source: 'harbor-coffee', medium: 'message', campaign: '{campaign}', content: 'button-{button}' },
    });
}
