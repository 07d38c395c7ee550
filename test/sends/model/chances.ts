/** Of something that happens by chance: its outcomes, each with how often it is to be drawn. */
export type Weights<Outcome extends string> = Partial<Record<Outcome, number>>;

/** FNV-1a, with its bits mixed once more, so that similar texts are drawn differently. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b) >>> 0;
  value = Math.imul(value ^ (value >>> 16), 0x45d9f3b) >>> 0;
  return (value ^ (value >>> 16)) >>> 0;
}

/**
 * What a seed decides. Each decision depends on what it is about and on nothing else: several calls may be under way at
 * once, and in whatever order they arrive, the same seed treats each of them in the same way.
 */
export function chancesOf(seed: number) {
  /** From 0 to 1, exclusively. */
  const fraction = (...about: unknown[]): number => hash(`${seed} ${about.join(' ')}`) / 2 ** 32;
  return {
    fraction,
    /** An integer from `least` to `most`, both inclusive. */
    between: (least: number, most: number, ...about: unknown[]): number =>
      least + Math.floor(fraction(...about) * (most - least + 1)),
    pick: <Item>(items: readonly Item[], ...about: unknown[]): Item => {
      const item = items[Math.floor(fraction(...about) * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    draw: <Outcome extends string>(weights: Weights<Outcome>, ...about: unknown[]): Outcome => {
      const entries = Object.entries(weights) as [Outcome, number][];
      let left = fraction(...about) * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [outcome, weight] of entries) if ((left -= weight) < 0) return outcome;
      throw new Error('there is nothing to draw');
    },
  };
}

export type Chances = ReturnType<typeof chancesOf>;
