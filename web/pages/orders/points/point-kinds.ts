import type { PointKind } from '#domain/orders/administration.ts';

/** In display order; the domain's list would bring its schemas into the page. */
export const pointKinds: readonly PointKind[] = ['tenant', 'district', 'wallet'];
