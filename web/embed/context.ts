import { decodeJwt } from 'jose';
import { isZone, localeFrom, themes, type LocaleName, type Theme } from '../composables/use-preferences.ts';

/** What the host sends to an embedded page. */
export interface HostContext {
  token: string;
  tenantId?: string;
  serviceNumberId?: string;
  contactId?: string;
  locale?: LocaleName;
  timeZone?: string;
  theme?: Theme;
}

const names = ['token', 'tenantId', 'serviceNumberId', 'contactId', 'locale', 'timeZone', 'theme'] as const;

/**
 * Whose token it is: issuer, tenant and subject as the token says, which only its verification at the server can prove.
 * A token that cannot be read belongs to nobody else.
 */
export function personOf(token: string): string {
  try {
    const { iss, tenantId, sub } = decodeJwt(token);
    return JSON.stringify([iss, tenantId, sub]);
  } catch {
    return token;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 8192 ? value : undefined;
}

/** The context that a host sent, or null without a token. Invalid values are left out. */
export function contextOf(value: unknown): HostContext | null {
  if (typeof value !== 'object' || value === null) return null;
  const given = value as Record<string, unknown>;
  const token = text(given['token']);
  if (!token) return null;
  const context: HostContext = { token };
  for (const name of ['tenantId', 'serviceNumberId', 'contactId'] as const) {
    const id = text(given[name]);
    if (id) context[name] = id;
  }
  const locale = text(given['locale']);
  if (locale) context.locale = localeFrom([locale]);
  if (isZone(given['timeZone'])) context.timeZone = given['timeZone'];
  const theme = themes.find((one) => one === given['theme']);
  if (theme) context.theme = theme;
  return context;
}

/** The context of an `outreach:init` message; null for any other. */
export function contextOfMessage(data: unknown): HostContext | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'outreach:init') return null;
  return contextOf(data);
}

/** Takes the context out of an address (query or fragment); `rest` is the address without it. */
export function takeFromAddress(address: URL): { context: HostContext | null; rest: string } {
  const hash = new URLSearchParams(address.hash.replace(/^#/, ''));
  const query = new URLSearchParams(address.search);
  const given = Object.fromEntries(names.map((name) => [name, hash.get(name) ?? query.get(name) ?? undefined]));
  const hadInHash = names.some((name) => hash.has(name));
  for (const name of names) {
    query.delete(name);
    hash.delete(name);
  }
  const search = query.toString();
  const fragment = hadInHash ? hash.toString() : address.hash.replace(/^#/, '');
  const rest = `${address.pathname}${search ? `?${search}` : ''}${fragment ? `#${fragment}` : ''}`;
  return { context: contextOf(given), rest };
}

/** The origins in the page's meta tag, separated by blanks or commas; none while the placeholder is still there. */
export function originsOf(content: string | null | undefined): string[] {
  return (content ?? '').split(/[\s,]+/).filter((origin) => /^https?:\/\/[^/]+$/.test(origin));
}
