import type { Results } from '../../../../../domain/api/campaign.ts';
import { funnelOf } from './funnel.ts';

/** One cell, quoted if necessary, that a spreadsheet never reads as a formula. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The figures of the results page as CSV: section, item, detail, clicks or contacts, unique contacts. */
export function resultsCsv(results: Results, tagNameOf: (tagId: string) => string): string {
  const rows: (string | number)[][] = [
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
  return rows.map((row) => row.map(csvCell).join(',')).join('\r\n');
}

/** Downloads a text as a file. A byte order mark makes spreadsheets read it as UTF-8. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
