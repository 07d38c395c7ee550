import type { RouteParams } from 'vue-router';

const keys = new Map<string, number>();
let made = 0;

/** Tells the view of one object from that of another: what was typed or opened for one is never shown for the next. */
export function viewKeyOf(params: RouteParams): number {
  const own = JSON.stringify(params);
  const key = keys.get(own) ?? (made += 1);
  keys.set(own, key);
  return key;
}

/** The view of `from` goes on as that of `to`, which it has just made; whoever opens `from` again gets another one. */
export function continueView(from: RouteParams, to: RouteParams): void {
  keys.set(JSON.stringify(to), viewKeyOf(from));
  keys.delete(JSON.stringify(from));
}
