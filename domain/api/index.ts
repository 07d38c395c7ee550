import { audienceOperations } from './audiences.ts';
import { campaignOperations } from './campaigns.ts';
import { contactOperations } from './contacts.ts';
import { inboxOperations } from './inbox.ts';
import { sessionOperations } from './session.ts';
import { tagOperations } from './tags.ts';

/** Served by the backend under `/internal/v1`, forwarded by the BFF from `/api/v1`. */
export const backendOperations = {
  ...campaignOperations,
  ...audienceOperations,
  ...contactOperations,
  ...tagOperations,
  ...inboxOperations,
};

/** All of `/api/v1`, as the console sees it. */
export const frontendOperations = { ...sessionOperations, ...backendOperations };
