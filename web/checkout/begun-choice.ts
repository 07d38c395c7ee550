import type { Choice } from './choice.ts';

/** A choice whose new order was asked for; the same key gives the same order again. */
export interface BegunChoice {
  key: string;
  choice: Choice;
}

const nameOf = (orderId: string): string => `checkout.choice.${orderId}`;

/**
 * Kept in the browser until the old order is cancelled, so that a choice that was interrupted can be finished or taken
 * back: otherwise two orders could be paid.
 */
export const begunChoices = {
  find(orderId: string): BegunChoice | null {
    try {
      return JSON.parse(localStorage.getItem(nameOf(orderId)) ?? 'null') as BegunChoice | null;
    } catch {
      return null;
    }
  },
  keep(orderId: string, begun: BegunChoice): void {
    try {
      localStorage.setItem(nameOf(orderId), JSON.stringify(begun));
    } catch {
      // Without storage it is known for as long as the page is open.
    }
  },
  forget(orderId: string): void {
    try {
      localStorage.removeItem(nameOf(orderId));
    } catch {
      // Nothing was kept.
    }
  },
};
