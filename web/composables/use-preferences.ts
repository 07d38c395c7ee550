import { reactive, watch } from 'vue';

export const localeNames = ['en', 'zh-Hant'] as const;
export type LocaleName = (typeof localeNames)[number];

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** One person's display settings: stored in the browser for `/app`, set by the host for `/embed`. */
export interface Preferences {
  locale: LocaleName;
  zone: string;
  theme: Theme;
  /** Whether single keys are shortcuts: speech input types them unmeant (WCAG 2.1.4). */
  shortcuts: boolean;
}

const storageKey = 'outreach.preferences';

/** The nearest supported language: any Chinese becomes Traditional Chinese. */
export function localeFrom(wanted: readonly string[]): LocaleName {
  for (const name of wanted) {
    if (/^zh\b/i.test(name)) return 'zh-Hant';
    if (/^en\b/i.test(name)) return 'en';
  }
  return 'en';
}

export function isZone(name: unknown): name is string {
  if (typeof name !== 'string' || name === '') return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The valid settings of an untrusted source. */
export function understood(value: unknown): Partial<Preferences> {
  if (typeof value !== 'object' || value === null) return {};
  const found: Partial<Preferences> = {};
  if ('locale' in value && typeof value.locale === 'string') found.locale = localeFrom([value.locale]);
  if ('zone' in value && isZone(value.zone)) found.zone = value.zone;
  if ('theme' in value) {
    const theme = themes.find((name) => name === value.theme);
    if (theme) found.theme = theme;
  }
  if ('shortcuts' in value && typeof value.shortcuts === 'boolean') found.shortcuts = value.shortcuts;
  return found;
}

const preferences = reactive<Preferences>({ locale: 'en', zone: 'UTC', theme: 'system', shortcuts: true });

/** The preferences in force, the same object for all callers; what is assigned takes effect at once. */
export function usePreferences(): Preferences {
  return preferences;
}

function stored(): unknown {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}');
  } catch {
    return {};
  }
}

function applyTheme(dark: MediaQueryList): void {
  const isDark = preferences.theme === 'dark' || (preferences.theme === 'system' && dark.matches);
  document.documentElement.classList.toggle('dark', isDark);
  document.documentElement.classList.toggle('light', !isDark);
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
}

/** Reads the preferences and follows them: `keep` stores changes in the browser (never for embedded pages). */
export function startPreferences({ keep }: { keep: boolean }): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  Object.assign(preferences, { locale: localeFrom(navigator.languages), zone: isZone(zone) ? zone : 'UTC' });
  if (keep) Object.assign(preferences, understood(stored()));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  applyTheme(dark);
  dark.addEventListener('change', () => applyTheme(dark));
  watch(
    () => preferences.theme,
    () => applyTheme(dark),
  );
  if (!keep) return;
  watch(preferences, (now) => {
    try {
      localStorage.setItem(storageKey, JSON.stringify(now));
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  });
}
