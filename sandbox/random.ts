import { createHash, randomBytes } from 'node:crypto';

/** A seeded generator of numbers in [0, 1): the same seed gives the same sequence. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return scramble(state) / 4294967296;
  };
}

function scramble(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

/** A number derived from `text`, for use as a seed. */
export function seedOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32LE(0);
}

/** The number in [0, 1) that always belongs to this seed, index and purpose, so that outcomes need not be stored. */
export function shareOf(seed: number, index: number, purpose: number): number {
  return scramble((seed + Math.imul(index + 1, 0x9e3779b1) + Math.imul(purpose + 1, 0x85ebca6b)) >>> 0) / 4294967296;
}

/** A new id with a prefix for what it identifies, such as `task_8f2c…`. */
export function createId(prefix: string): string {
  return `${prefix}_${randomBytes(10).toString('hex')}`;
}
