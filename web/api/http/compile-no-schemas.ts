import { z } from 'zod';

// Zod would compile checks with `new Function`, which a strict content security policy forbids.
z.config({ jitless: true });
