import { z } from 'zod';
import type { DescribedWebhook } from '#api/http/openapi.ts';

const headers = z.object({
  'webhook-id': z.string().describe('The id of the event; the same for each attempt, so that repeats can be told'),
  'webhook-timestamp': z.string().describe('When this attempt was signed, in seconds since 1970'),
  'webhook-signature': z
    .string()
    .describe(
      '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`; two of them, separated by a ' +
        'space, while a secret is being replaced',
    ),
});

/** How events are posted to a webhook, for an OpenAPI document. */
export const describeWebhook = ({
  about,
  ...described
}: Pick<DescribedWebhook, 'name' | 'summary' | 'body'> & { about: string }): DescribedWebhook => ({
  ...described,
  description: `Signed as [Standard Webhooks](https://www.standardwebhooks.com). ${about} One that is not accepted within
10 s is sent again, ever less often, for 3 days. Redirects are not followed.`,
  headers,
  responses: { '2XX': 'Accepted', default: 'Not accepted: the event is sent again' },
});
