/** What a timeline can be narrowed to. A conversion is a tag that a campaign earned. */
export const timelineFilters = ['notice', 'click', 'session', 'tag', 'conversion', 'follow'] as const;
