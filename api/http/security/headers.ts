import type { Middleware } from 'koa';

const NOTHING = ['default-src', 'object-src', 'base-uri', 'form-action', 'frame-ancestors']
  .map((what) => `${what} 'none'`)
  .join('; ');

/** The console asks for none of them, so no script that got into it could either. */
const NO_DEVICES = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'bluetooth', 'display-capture']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** For self-contained pages without scripts. */
export const DOCUMENT_POLICY = `${NOTHING}; style-src 'unsafe-inline'`;

/**
 * The console runs only its own scripts. Component styles are set inline, and card images may come from any host.
 * @returns the policy of a page: allowed hosts may frame embedded pages, nobody may frame others.
 */
export function consolePolicy(embedAllowedOrigins: string[]): (embedded: boolean) => string {
  const hosts = embedAllowedOrigins.length > 0 ? embedAllowedOrigins.join(' ') : "'none'";
  return (embedded) =>
    [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob: http: https:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${embedded ? hosts : "'none'"}`,
    ].join('; ');
}

/** Headers of every response. */
export const securityHeadersOf = (publicUrl: string): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': NOTHING,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': NO_DEVICES,
  ...(publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
});

/** Sets them; routes that serve pages set their own policy. */
export function securityHeaders(publicUrl: string): Middleware {
  const headers = securityHeadersOf(publicUrl);
  return async (ctx, next) => {
    ctx.set(headers);
    if (/^\/+(api|transaction)\//i.test(ctx.path)) ctx.set('Cache-Control', 'no-store');
    await next();
  };
}
