import type { Context } from 'koa';

export interface CookieJar {
  read(ctx: Context, name: string): string | undefined;
  /** The request's cookies whose names have this prefix. */
  names(ctx: Context, prefix: string): string[];
  /** Visible to this host only, never to scripts, and not sent with other sites' forms. */
  write(ctx: Context, name: string, value: string, maxAgeSeconds: number): void;
  clear(ctx: Context, name: string): void;
}

/** Cookies of the BFF: `__Host-` and Secure if the public address is HTTPS. */
export function createCookieJar(publicUrl: string): CookieJar {
  const secure = publicUrl.startsWith('https:');
  const fullName = (name: string): string => (secure ? `__Host-${name}` : name);
  function write(ctx: Context, name: string, value: string, maxAgeSeconds: number): void {
    const parts = [`${fullName(name)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAgeSeconds}`];
    ctx.append('Set-Cookie', [...parts, ...(secure ? ['Secure'] : [])].join('; '));
  }
  return {
    read: (ctx, name) => ctx.cookies.get(fullName(name)),
    names: (ctx, prefix) =>
      ctx
        .get('Cookie')
        .split(/;\s*/)
        .map((pair) => pair.slice(0, pair.indexOf('=')))
        .filter((name) => name.startsWith(fullName(prefix)))
        .map((name) => name.slice(fullName('').length)),
    write,
    clear: (ctx, name) => write(ctx, name, '', 0),
  };
}
