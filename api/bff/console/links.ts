/** The part of the console's build manifest that serving it needs. */
export interface Bundled {
  /** What the address of a page needs: `:name` stands for one part of it, `:name(.*)*` for all that follow. */
  openings: { path: string; scripts: string[]; styles: string[]; requests: string[] }[];
  /** The script of each language's texts. */
  texts: Record<string, string>;
}

function fits(pattern: string, path: string): boolean {
  const parts = path.replace(/\/+$/, '').split('/');
  const wanted = pattern.split('/');
  const rest = wanted.findIndex((part) => part.endsWith('(.*)*'));
  if (rest === -1 ? parts.length !== wanted.length : parts.length < rest) return false;
  return wanted
    .slice(0, rest === -1 ? undefined : rest)
    .every((part, at) => part.startsWith(':') || part === parts[at]);
}

/** The console's language unless the user has chosen one. */
function languageOf(accepted: readonly string[]): string {
  const first = accepted.find((language) => /^(zh|en)\b/i.test(language)) ?? 'en';
  return /^zh\b/i.test(first) ? 'zh-Hant' : 'en';
}

/**
 * Links for the head of the console's page: what this address is going to need, so that the browser requests it at once
 * rather than when one script after the other asks for the next. They say nothing about who is signed in.
 * @param accepted the languages that the browser wants, most wanted first.
 */
export function linksOf({ openings, texts }: Bundled, path: string, accepted: readonly string[]): string {
  const opening = openings.find((one) => fits(one.path, path));
  if (!opening) return '';
  const script = (name: string) => `<link rel="modulepreload" crossorigin href="/${name}">`;
  return [
    ...opening.styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...[...opening.scripts, texts[languageOf(accepted)] ?? []].flat().map(script),
    ...opening.requests.map((address) => `<link rel="preload" as="fetch" crossorigin href="${address}">`),
  ].join('');
}
