import { escapeHtml } from '#api/http/html.ts';

/** Markup that is safe to send as is. */
export interface Html {
  markup: string;
}

type Value = Html | Html[] | string | number | false | null | undefined;

function rendered(value: Value): string {
  if (value === false || value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => one.markup).join('');
  return typeof value === 'object' ? value.markup : escapeHtml(String(value));
}

/** Markup from a template; every value that is not itself markup is escaped. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return {
    markup: parts.reduce(
      (text, part, index) => text + part + (index < values.length ? rendered(values[index]) : ''),
      '',
    ),
  };
}

/** Data for a script element: JSON that cannot close the element. */
export function scriptData(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return { markup: `<script type="application/json" id="${escapeHtml(id)}">${json}</script>` };
}
