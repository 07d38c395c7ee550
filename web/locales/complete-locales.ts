import type { Plugin } from 'vite';
import { differences } from './differences.ts';
import { missingProblemKeys } from './problem-keys.ts';
import { readLocale } from './read-locale.ts';

/** Vite plugin: fails the build if a string exists in only one language, or a problem has no text. */
export function completeLocales(): Plugin {
  return {
    name: 'complete-locales',
    buildStart() {
      const [en, chinese] = [readLocale('en'), readLocale('zh-Hant')];
      const found = differences(en, chinese);
      if (found.length > 0) this.error(`locales differ:\n${found.join('\n')}`);
      const unsaid = missingProblemKeys(en);
      if (unsaid.length > 0) this.error(`missing texts for problems:\n${unsaid.join('\n')}`);
    },
  };
}
