import type { RouteLocationRaw } from 'vue-router';

/** Things that the palette offers, each on a page of its own. */
export interface FoundGroup {
  id: string;
  label: string;
  /** The server has searched already: the palette must not filter further. */
  ignoreFilter?: boolean;
  items: { label: string; suffix?: string; icon: string; to: RouteLocationRaw }[];
}
