/** What campaigns bring about, as the overview counts it. */
export const figureNames = ['delivered', 'clickedContacts', 'conversationsOpened', 'conversions'] as const;
export type FigureName = (typeof figureNames)[number];
