/** The orders of lists, each of which an index has; with `-` newest or Z first. */
export const campaignSorts = ['createdAt', '-createdAt', 'name', '-name'] as const;
export const contactSorts = ['enteredAt', '-enteredAt'] as const;
export const tagSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;
export const ruleSorts = ['name', '-name'] as const;
