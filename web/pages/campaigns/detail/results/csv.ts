import type { Results } from '#domain/api/campaign.ts';
import { type CsvValue, csvLine } from '#domain/csv.ts';
import { funnelOf } from './funnel.ts';

/** The figures of the results page as CSV: section, item, detail, clicks or contacts, unique contacts. */
export function resultsCsv(results: Results, tagNameOf: (tagId: string) => string): string {
  const rows: CsvValue[][] = [
    ['section', 'item', 'detail', 'count', 'uniqueContacts'],
    ...funnelOf(results).map(({ step, count }) => ['funnel', step, '', count, '']),
    ...results.clicks.byAction.map(({ messageIndex, actionIndex, label, clicks, uniqueContacts }) => [
      'button',
      `${messageIndex + 1}.${actionIndex + 1}`,
      label,
      clicks,
      uniqueContacts,
    ]),
    ...results.clicks.byBizEventCode.map(({ bizEventCode, clicks, uniqueContacts }) => [
      'eventCode',
      bizEventCode,
      '',
      clicks,
      uniqueContacts,
    ]),
    ...results.clicks.series.map(({ at, clicks }) => ['hour', at, '', clicks, '']),
    ...results.tagged.map(({ tagId, contacts }) => ['tag', tagId, tagNameOf(tagId), '', contacts]),
    ['conversations', 'opened', '', results.conversations.opened, ''],
    ['conversations', 'closed', '', results.conversations.closed, ''],
    ['clicks', 'total', '', results.clicks.total, results.clicks.uniqueContacts],
    ['clicks', 'repeats', '', results.clicks.repeats, ''],
  ];
  return rows.map(csvLine).join('');
}
