import { z } from 'zod';

/** In lists of staff, what the order that an item is about is called: its title, or else its number. Null beside no order. */
export const titleField = { orderTitle: z.string().nullable() };
