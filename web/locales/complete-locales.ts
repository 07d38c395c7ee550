import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { differences } from './differences.ts';

function read(name: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`./${name}.json`, import.meta.url)), 'utf8'));
}

/** Vite plugin: a string that one language has and the other lacks stops the build. */
export function completeLocales(): Plugin {
  return {
    name: 'complete-locales',
    buildStart() {
      const found = differences(read('en'), read('zh-Hant'));
      if (found.length > 0) this.error(`locales differ:\n${found.join('\n')}`);
    },
  };
}
