/** The filters of a timeline. A conversion is a tag attributed to a campaign. */
export const timelineFilters = ['notice', 'click', 'session', 'tag', 'conversion', 'follow'] as const;
