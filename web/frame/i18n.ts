import { createI18n } from 'vue-i18n';
import { watch } from 'vue';
import { type LocaleName, usePreferences } from '../composables/use-preferences.ts';
import { isolateValues } from '../components/text/isolate.ts';
import type english from '../locales/en.json';
import type { TextGroup } from './routes/page-route.ts';

const preferences = usePreferences();

type Messages = typeof english;

/** Texts that only some pages need, which are loaded with the first of them (`texts` of `PageRoute`). */
const groups: Record<TextGroup, Record<LocaleName, () => Promise<{ default: object }>>> = {
  automations: {
    en: () => import('../locales/automations/en.json'),
    'zh-Hant': () => import('../locales/automations/zh-Hant.json'),
  },
  repeats: {
    en: () => import('../locales/repeats/en.json'),
    'zh-Hant': () => import('../locales/repeats/zh-Hant.json'),
  },
  settings: {
    en: () => import('../locales/settings/en.json'),
    'zh-Hant': () => import('../locales/settings/zh-Hant.json'),
  },
};
/** Those that are wanted in whatever language is chosen. */
const wanted = new Set<TextGroup>();

const files: Record<LocaleName, () => Promise<{ default: Messages }>> = {
  en: () => import('../locales/en.json'),
  'zh-Hant': () => import('../locales/zh-Hant.json'),
};

/** Which of the `|` forms a number takes, as Intl says for the language. */
function pluralRule(locale: LocaleName): (choice: number, forms: number) => number {
  const rules = new Intl.PluralRules(locale);
  const categories = rules.resolvedOptions().pluralCategories;
  const order = (['zero', 'one', 'two', 'few', 'many', 'other'] as const).filter((name) => categories.includes(name));
  return (choice, forms) => Math.min(order.indexOf(rules.select(choice)), forms - 1);
}

export const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: false,
  messages: {} as Partial<Record<LocaleName, Messages>>,
  pluralRules: { en: pluralRule('en'), 'zh-Hant': pluralRule('zh-Hant') },
});

const translate = i18n.global.t as (key: string, ...given: unknown[]) => string;
i18n.global.t = ((key: string, ...given: unknown[]) =>
  translate(key, ...given.map(isolateValues))) as typeof i18n.global.t;

async function load(name: LocaleName): Promise<void> {
  if (!i18n.global.availableLocales.includes(name)) {
    i18n.global.setLocaleMessage(name, (await files[name]()).default);
  }
  for (const group of wanted) i18n.global.mergeLocaleMessage(name, (await groups[group][name]()).default);
}

async function use(name: LocaleName): Promise<void> {
  await load(name);
  // Another language may have been chosen while this one was loading.
  if (name !== preferences.locale) return;
  i18n.global.locale.value = name;
  document.documentElement.lang = name;
}

/** Loads the texts of a group, now and in each language that is chosen later. */
export async function loadTexts(group: TextGroup): Promise<void> {
  if (wanted.has(group)) return;
  wanted.add(group);
  try {
    await load(preferences.locale);
  } catch (error) {
    wanted.delete(group);
    throw error;
  }
}

/** Loads the chosen language and follows the choice. */
export async function startI18n(): Promise<void> {
  watch(() => preferences.locale, use);
  let name: LocaleName;
  do {
    name = preferences.locale;
    await use(name);
  } while (name !== preferences.locale);
}
