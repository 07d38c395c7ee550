import { Counter, type Registry } from 'prom-client';
import { Problem } from '#domain/api/problem.ts';

/** Counts a webhook by the kind of its response, or by its error code. */
export interface WebhookMetrics {
  count<ApiResponse extends { ignored?: true }>(taking: Promise<ApiResponse>): Promise<ApiResponse>;
}

export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const webhooks = new Counter({
    name: 'webhooks_total',
    help: 'Webhooks by result: received, ignored, or the code they were rejected with (nonce_replayed, unauthorized, …)',
    labelNames: ['result'],
    registers: [registry],
  });
  return {
    async count(taking) {
      try {
        const response = await taking;
        webhooks.inc({ result: response.ignored ? 'ignored' : 'received' });
        return response;
      } catch (error) {
        webhooks.inc({ result: error instanceof Problem ? error.code : 'internal' });
        throw error;
      }
    },
  };
}
