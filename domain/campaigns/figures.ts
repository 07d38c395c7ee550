/** The results of campaigns that the overview counts. */
export const figureNames = ['delivered', 'clickedContacts', 'conversationsOpened', 'conversions'] as const;
export type FigureName = (typeof figureNames)[number];
