import { z } from 'zod';

// Compiling checks with `new Function` is what a strict content security policy forbids.
z.config({ jitless: true });
