import { z } from 'zod';
import type { utmNames } from '../campaigns/templates/utm.ts';
import { text } from './primitives.ts';

const pattern = text(200).optional();

/**
 * Patterns of parameters `utm_…` of links: `{campaign}` is the campaign's name, and `{message}` and `{button}` are the numbers of a
 * link's place, from 1. In templates they may have variables, too.
 */
export const utmSchema = z.object({
  source: pattern,
  medium: pattern,
  campaign: pattern,
  term: pattern,
  content: pattern,
} satisfies Record<(typeof utmNames)[number], z.ZodType>);
