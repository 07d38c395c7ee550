import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../start/services.ts';

/** Names what documents and alerts point at that is not there, and ends with 1 if there is one. */
const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/runbook.md'];
const roots = new Set(
  readdirSync(projectFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['dist', 'node_modules'].includes(entry.name))
    .map(({ name }) => name),
);

/** Paths in backticks whose first part is a folder of the project. */
const pathsIn = (document: string): string[] =>
  [...read(document).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => roots.has(path.split('/')[0] ?? ''));

/** As Markdown is rendered: the anchor of each heading. */
const anchorsOf = (document: string): string[] =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

const missing = documents.flatMap((document) =>
  pathsIn(document)
    .filter((path) => !existsSync(join(projectFolder, path)))
    .map((path) => `${document}: there is no ${path}`),
);

const alerts = 'ops/prometheus/alerts.yaml';
for (const [, alert = '', rest = ''] of read(alerts).matchAll(/- alert: (\w+)([^]*?)(?=- alert: |$)/g)) {
  const [, document = '', anchor = ''] = /runbook_url: (\S+)#(\S+)/.exec(rest) ?? [];
  if (!existsSync(join(projectFolder, document)) || !anchorsOf(document).includes(anchor))
    missing.push(`${alerts}: ${alert} leads to no section of the runbook`);
}

for (const line of missing) console.log(line);
process.exit(missing.length > 0 ? 1 : 0);
