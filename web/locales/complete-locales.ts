import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { differences } from './differences.ts';
import { missingProblemKeys } from './problem-keys.ts';

function read(name: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`./${name}.json`, import.meta.url)), 'utf8'));
}

/** Vite plugin: a string that one language has and the other lacks stops the build, and a problem without words. */
export function completeLocales(): Plugin {
  return {
    name: 'complete-locales',
    buildStart() {
      const [en, chinese] = [read('en'), read('zh-Hant')];
      const found = differences(en, chinese);
      if (found.length > 0) this.error(`locales differ:\n${found.join('\n')}`);
      const unsaid = missingProblemKeys(en);
      if (unsaid.length > 0) this.error(`locales have no words for problems:\n${unsaid.join('\n')}`);
    },
  };
}
