import type { Comparison } from '#domain/api/lift.ts';
import { changeText } from '#web/numbers/share.ts';

/** "+1.25": a difference of shares in percentage points, with up to two decimals, and with its sign unless it is without. */
export function pointsText(
  difference: number,
  languageTag: string,
  sign: 'exceptZero' | 'never' = 'exceptZero',
): string {
  const format = new Intl.NumberFormat(languageTag, { maximumFractionDigits: 2, signDisplay: sign });
  return format.format(difference * 100);
}

/** What a comparison shows: a key below `lift.verdict`, and the figures of its sentence. */
export function verdictOf(
  { verdict, difference, relative, sent, control }: Comparison,
  { number, tag }: { number: (value: number) => string; tag: string },
): { key: Comparison['verdict']; words: Record<string, string> } {
  if (difference === null)
    return { key: 'too_few', words: { sent: number(sent.converted), control: number(control.converted) } };
  const points = (value: number) => pointsText(value, tag);
  return {
    key: verdict,
    words: {
      value: pointsText(difference.value, tag, 'never'),
      low: points(difference.low),
      high: points(difference.high),
      change: changeText(relative ?? 0, tag),
    },
  };
}
