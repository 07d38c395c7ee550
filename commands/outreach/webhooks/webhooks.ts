import type { Webhook } from '../../../db/outreach/webhooks/webhooks.ts';
import { Problem } from '../../../domain/api/problem.ts';

/** For so long a secret that was replaced signs as well. */
export const OVERLAP = `interval '24 hours'`;

export const noWebhook = () => new Problem('invalid_state', 'The tenant has no webhook');

export const shown = ({ url, eventTypes }: Pick<Webhook, 'url' | 'eventTypes'>) => ({ url, eventTypes });
