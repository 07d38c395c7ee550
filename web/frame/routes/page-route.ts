/** What the frame needs to know of a page before it is there. */
export interface PageMeta {
  /** Locale key of the page's title. */
  title?: string;
  /** The page shows one service number's objects: `?sn=` is part of its address. */
  scoped?: boolean;
  /** Open to order administrators who have no other role. */
  orders?: boolean;
  /** For a payer, not for staff. */
  payer?: boolean;
  /** Open to order administrators only. */
  sales?: boolean;
  /** An embedded page that viewers see if their tenant allows it. */
  viewers?: boolean;
}

/** Texts apart from those of every page, by their folder below `locales/`. */
export type TextGroup = 'automations' | 'repeats' | 'settings';

/**
 * Where a page is. Plain data, without the pages themselves, from which the build says what a browser needs for an
 * address (`bundling/openings.ts`).
 */
export interface PageRoute {
  /** Within its parent's, as vue-router reads it. */
  path: string;
  name?: string;
  /** File of its component, below `web/`. */
  page?: string;
  /** Other files that are loaded wherever it is opened, below `web/`. */
  alongside?: string[];
  /** Addresses that are requested wherever it is opened, before anything else. */
  requests?: string[];
  /** Name of the page that is shown instead, with the same parameters. */
  redirectTo?: string;
  props?: true;
  /** Its texts, and those of the pages below it, beside those of every page. */
  texts?: TextGroup;
  meta?: PageMeta;
  children?: PageRoute[];
}
