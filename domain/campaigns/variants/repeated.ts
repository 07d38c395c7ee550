import { canonical } from '#domain/json-text.ts';

/** Which variants say the same as an earlier one, by their positions: a test between them says nothing. */
export function repeatedVariants(variants: readonly { messages: unknown }[]): { position: number; of: number }[] {
  const texts = variants.map(({ messages }) => canonical(messages));
  return texts.flatMap((text, position) => {
    const of = texts.indexOf(text);
    return of < position ? [{ position, of }] : [];
  });
}
