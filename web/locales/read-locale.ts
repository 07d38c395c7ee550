import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);
const parse = (file: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8')) as Record<string, object>;

/** All texts of a language: those of every page, and those that are loaded with some pages, which are in folders. */
export function readLocale(name: string): Record<string, object> {
  const texts = parse(`${name}.json`);
  const groups = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const group of groups)
    for (const [key, more] of Object.entries(parse(`${group.name}/${name}.json`)))
      texts[key] = { ...texts[key], ...more };
  return texts;
}
