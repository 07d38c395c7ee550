import { escapeHtml } from './html.ts';
import type { OpenApiDocument } from './openapi.ts';

const style = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { margin-top: 2.5rem; text-transform: capitalize; }
  section { border-top: 1px solid #8884; padding: .75rem 0; }
  code { font: 13px/1.5 ui-monospace, monospace; }
  .method { display: inline-block; min-width: 4rem; font-weight: 600; text-transform: uppercase; }
  pre { overflow: auto; max-height: 24rem; padding: .75rem; background: #8881; border-radius: .4rem; }
  summary { cursor: pointer; }
  dt { font-weight: 600; } dd { margin: 0 0 .25rem 1.5rem; }`;

interface Described {
  operationId?: string;
  tags?: string[];
  summary?: string;
  requestBody?: unknown;
  parameters?: unknown[];
  responses?: Record<string, { description?: string }>;
}

const schemaBlock = (title: string, value: unknown): string =>
  value === undefined
    ? ''
    : `<details><summary>${title}</summary><pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre></details>`;

function operationSection(method: string, path: string, operation: Described): string {
  const responses = Object.entries(operation.responses ?? {})
    .map(([status, { description }]) => `<dt>${escapeHtml(status)}</dt><dd>${escapeHtml(description ?? '')}</dd>`)
    .join('');
  return `<section id="${escapeHtml(operation.operationId ?? `${method}-${path}`)}">
    <code><span class="method">${escapeHtml(method)}</span>${escapeHtml(path)}</code>
    <p>${escapeHtml(operation.summary ?? '')}</p>
    ${schemaBlock('Parameters', operation.parameters)}${schemaBlock('Body', operation.requestBody)}
    <details><summary>Answers</summary><dl>${responses}</dl></details>
  </section>`;
}

/** A page that reads an OpenAPI document aloud; self-contained, without scripts. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Described>).map(([method, operation]) => ({ method, path, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'other'))];
  const groups = tags.map((tag) => {
    const sections = operations
      .filter(({ operation }) => (operation.tags?.[0] ?? 'other') === tag)
      .map(({ method, path, operation }) => operationSection(method, path, operation));
    return `<h2>${escapeHtml(tag)}</h2>${sections.join('')}`;
  });
  const { title, description } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
    <body><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description ?? '')}</p>
    <p><a href="/openapi.json">OpenAPI document</a></p>${groups.join('')}
    ${schemaBlock('Schemas', document.components?.schemas)}</body></html>`;
}
