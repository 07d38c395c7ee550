import type { ApiResponse } from '../http/route.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';

export interface Page {
  title: string;
  body: Html;
  /** Names of scripts under /assets. */
  scripts?: string[];
  /** Names of additional stylesheets under /assets. */
  styles?: string[];
  /** A page without the sandbox's header, such as a sign-in form. */
  bare?: boolean;
  /** A class for the body. */
  look?: string;
}

const links = [
  ['/', 'Overview'],
  ['/phone', 'Phone'],
  ['/admin', 'Platform'],
  ['/host', 'Embedded'],
  ['/shop', 'Shop'],
  ['/payment-gateway', 'Payments'],
  ['/merchant', 'Merchant'],
] as const;

/** A complete page as text. */
export function page({ title, body, scripts = [], styles = [], bare = false, look = '' }: Page): string {
  const navigation = html`<header class="top">
    <a class="brand" href="/"><span class="mark"></span>Sandbox</a>
    <nav>${links.map(([href, label]) => html`<a href="${href}">${label}</a>`)}</nav>
  </header>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/sandbox.css" />
        ${styles.map((name) => html`<link rel="stylesheet" href="/assets/${name}" />`)}
        ${scripts.map((name) => html`<script src="/assets/${name}" defer></script>`)}
      </head>
      <body class="${look}">
        ${bare ? null : navigation} ${body}
      </body>
    </html>`.markup;
}

const policy =
  "default-src 'self'; img-src * data:; style-src 'self' 'unsafe-inline'; frame-src *; form-action *; base-uri 'none'";

/** A response for a browser to show. */
export function showPage(content: Page, status = 200): ApiResponse {
  return {
    status,
    body: page(content),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}
