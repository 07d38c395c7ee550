import type { Middleware } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import { escapeHtml } from '#api/http/html.ts';
import { DOCUMENT_POLICY } from '#api/http/security/headers.ts';

const page = (problem: Problem, requestId: string): string => `<!doctype html><html lang="en"><head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in</title><style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 32rem; margin: 20vh auto; padding: 0 1rem; } small { opacity: .7; }</style></head>
  <body><main><h1>Signing in did not work</h1><p>${escapeHtml(problem.message)}.</p>
  <p><a href="/api/v1/auth/login">Sign in again</a></p><p><small>${escapeHtml(requestId)}</small></p></main></body></html>`;

/** A browser in the middle of a sign-in gets a page, because a person reads it; programs get the problem document. */
export const errorPage: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof Problem) || ctx.method !== 'GET' || ctx.accepts('json', 'html') !== 'html') throw error;
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    ctx.status = error.status;
    ctx.set('Content-Security-Policy', DOCUMENT_POLICY);
    ctx.type = 'html';
    ctx.body = page(error, String(ctx.state['requestId']));
  }
};
