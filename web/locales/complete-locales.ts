import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { differences } from './differences.ts';
import { missingProblemKeys } from './problem-keys.ts';

function read(name: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`./${name}.json`, import.meta.url)), 'utf8'));
}

/** Vite plugin: fails the build if a string exists in only one language, or a problem has no text. */
export function completeLocales(): Plugin {
  return {
    name: 'complete-locales',
    buildStart() {
      const [en, chinese] = [read('en'), read('zh-Hant')];
      const found = differences(en, chinese);
      if (found.length > 0) this.error(`locales differ:\n${found.join('\n')}`);
      const unsaid = missingProblemKeys(en);
      if (unsaid.length > 0) this.error(`missing texts for problems:\n${unsaid.join('\n')}`);
    },
  };
}
