import { z } from 'zod';

const httpUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Where spans are sent (OTLP over HTTP), without a slash at the end; null where there are none. */
export const tracesUrl = z
  .union([z.literal('off').transform(() => null), httpUrl])
  .optional()
  .transform((address) => address ?? null);

/** The same from the environment alone; what is invalid is for `parseSettings` to say. */
export const tracesUrlFrom = ({ OTEL_EXPORTER_OTLP_ENDPOINT: given }: Record<string, string | undefined>) =>
  tracesUrl.safeParse(given === '' ? undefined : given).data ?? null;
