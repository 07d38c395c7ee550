/** Makes spreadsheets read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

export type CsvValue = string | number | boolean | null;

/** The columns of a file, in order: each with its name in the header and its value in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

/** Whether the text has one apostrophe more than what it stands for, which a spreadsheet would run. */
export const isEscaped = (text: string): boolean => /^'+[=+\-@\t\r]/.test(text);

/** One cell, quoted if necessary (RFC 4180), that a spreadsheet never reads as a formula; empty for null. */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = isEscaped(`'${value}`) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line with its end. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`;

/** The header, as a file begins. */
export const csvHeader = <Row>(columns: CsvColumns<Row>): string => BYTE_ORDER_MARK + csvLine(Object.keys(columns));

/** Rows as lines. */
export function csvLines<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  const values = Object.values(columns);
  return rows.map((row) => csvLine(values.map((valueOf) => valueOf(row)))).join('');
}
