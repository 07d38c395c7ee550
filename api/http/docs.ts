import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Router } from '@koa/router';
import { escapeHtml } from './html.ts';
import type { OpenApiDocument } from './openapi.ts';

/** Everything comes from this service. Swagger UI sets inline styles and has icons in its style sheet. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const MAXIMUM_AGE_SECONDS = 3600;

const { resolve } = createRequire(import.meta.url);

/** By the last part of the address: the content type, and where the package keeps the file. */
const packageFiles = new Map([
  ['swagger-ui.css', { type: 'text/css', path: resolve('swagger-ui-dist/swagger-ui.css') }],
  ['swagger-ui-bundle.js', { type: 'text/javascript', path: resolve('swagger-ui-dist/swagger-ui-bundle.js') }],
]);

/**
 * A separate script, since inline scripts do not run. Operations are shown but cannot be called: the page has no
 * sign-in.
 */
const startScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
});
`;

const page = (title: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
  <body><div id="operations"></div><noscript><a href="/openapi.json">OpenAPI document</a></noscript>
  <script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;

/** Describes a service's API: `/openapi.json` for programs, `/docs` for people. */
export function documentRoutes(document: OpenApiDocument): Router {
  const html = page(document.info.title);
  const contents = new Map<string, Promise<Buffer>>();
  const router = new Router();
  router.get('/openapi.json', (ctx) => {
    ctx.body = document;
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', pagePolicy);
    ctx.type = 'html';
    ctx.body = html;
  });
  router.get('/docs/start.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = startScript;
  });
  router.get('/docs/:file', async (ctx, next) => {
    const name = ctx.params['file'] ?? '';
    const file = packageFiles.get(name);
    if (!file) return next();
    const content = contents.get(name) ?? readFile(file.path);
    contents.set(name, content);
    ctx.set('Cache-Control', `public, max-age=${MAXIMUM_AGE_SECONDS}`);
    ctx.type = file.type;
    ctx.body = await content;
  });
  return router;
}
