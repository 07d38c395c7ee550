import type { Utm } from '#domain/campaigns/templates/utm.ts';

/** Parameters that links get; `usual`: as the tenant's settings say, for a draft that is not stored yet. Null: none. */
export type DraftUtm = Utm | 'usual' | null;

/** The parameters of links, as they are written in addresses. */
export const utmText = (utm: Utm): string =>
  Object.entries(utm)
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`utm_${name}=${value}`]))
    .join('&');
