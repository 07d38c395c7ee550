const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const LONGEST_NAME = 40;

const nameIn = (header: string, names: [RegExp, string][]): string | undefined =>
  names.find(([pattern]) => pattern.test(header))?.[1];

/**
 * What people recognise their browser by, such as `Firefox (Windows)`; of a program the name it gives itself. More of
 * the header is not kept. Null if it says nothing.
 */
export function shortUserAgent(header: string): string | null {
  const browser = nameIn(header, browsers);
  const system = nameIn(header, systems);
  if (browser !== undefined) return system === undefined ? browser : `${browser} (${system})`;
  const [program] = /^[A-Za-z0-9][\w.-]*/.exec(header) ?? [];
  return program?.slice(0, LONGEST_NAME) ?? null;
}
