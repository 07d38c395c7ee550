import type { Router } from '@koa/router';
import { createRouter } from '#api/http/router.ts';

const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180;

/** `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities. 404 without a contact. */
export function securityContactRoutes({ contact, publicUrl }: { contact: string | null; publicUrl: string }): Router {
  const router = createRouter();
  if (contact === null) return router;
  router.get('/.well-known/security.txt', (ctx) => {
    // Midnight, so that every process says the same.
    const expires = new Date((Math.floor(Date.now() / DAY_MS) + VALID_DAYS) * DAY_MS);
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = [
      `Contact: ${contact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en, zh-Hant',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      '',
    ].join('\n');
  });
  return router;
}
