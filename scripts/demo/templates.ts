import type { Page } from '../../domain/api/primitives.ts';
import type { CreateTemplate, ListedTemplate } from '../../domain/api/templates.ts';
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

/** A card with two variables, in its second version. */
export async function seedTemplates(api: JsonClient): Promise<void> {
  const { items } = await api.get<Page<ListedTemplate>>('/templates?limit=200');
  if (items.some(({ name }) => name === menu.name)) return;
  const content = { ...menu.content, campaignName: null };
  const first = await api.post<ListedTemplate>('/templates', { ...menu, content });
  await api.patch(`/templates/${first.templateId}`, { content: menu.content, basedOn: first.version });
}
