/** The orders of lists, each of which an index has; with `-` newest, largest or Z first. */
export const campaignSorts = ['createdAt', '-createdAt', 'name', '-name'] as const;
export const contactSorts = ['enteredAt', '-enteredAt'] as const;
export const tagSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;
export const orderSorts = ['createdAt', '-createdAt', 'amount', '-amount'] as const;
export type OrderSort = (typeof orderSorts)[number];
export const ruleSorts = ['name', '-name'] as const;
