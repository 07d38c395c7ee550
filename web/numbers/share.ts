/** The smallest difference from 0 and from 1 that one decimal of a percentage can show. */
const STEP = 0.001;

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(languageTag: string, digits: number): Intl.NumberFormat {
  const key = `${languageTag} ${digits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(languageTag, {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(key, format);
  return format;
}

/**
 * "17.4%", always with one decimal, so that a rate reads the same wherever it is shown. Only nothing is 0% and only all
 * is 100%: what would be rounded there is "<0.1%" or ">99.9%". A dash where there is nothing to divide by.
 */
export function shareText(part: number, whole: number, languageTag: string): string {
  if (whole <= 0) return '–';
  const share = part / whole;
  const exact = formatOf(languageTag, 1);
  if (share === 0 || share === 1) return formatOf(languageTag, 0).format(share);
  if (share > 0 && share < STEP) return `<${exact.format(STEP)}`;
  if (share < 1 && share > 1 - STEP) return `>${exact.format(1 - STEP)}`;
  return exact.format(share);
}

/** "+12%": a change with its sign. A change that would be rounded to nothing is "<+1%" or ">−1%". */
export function changeText(share: number, languageTag: string): string {
  const format = new Intl.NumberFormat(languageTag, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  if (share > 0 && share < 0.01) return `<${format.format(0.01)}`;
  if (share < 0 && share > -0.01) return `>${format.format(-0.01)}`;
  return format.format(share);
}
