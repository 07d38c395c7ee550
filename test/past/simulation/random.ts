/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  of<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to choose from');
    return choices[Math.floor(this.next() * choices.length)] as T;
  }

  some<T>(choices: readonly T[], most: number): T[] {
    return [...new Set(Array.from({ length: this.whole(1, most) }, () => this.of(choices)))];
  }
}
