import { shallowRef } from 'vue';
import { credentials } from '../api/http/credentials.ts';
import { usePreferences } from '../composables/use-preferences.ts';
import { fixedServiceNumber } from '../composables/use-service-number.ts';
import { contextOfMessage, originsOf, personOf, takeFromAddress, type HostContext } from './context.ts';

const preferences = usePreferences();

/** The host's context; null until the host has sent one. Its token stays in memory only. */
export const hostContext = shallowRef<HostContext | null>(null);

const patience = 5000;
let waiting: ((renewed: boolean) => void)[] = [];

function accept(context: HostContext): void {
  const before = hostContext.value;
  // A call of one person is not repeated in the name of another.
  const isSame = before === null || personOf(before.token) === personOf(context.token);
  credentials.token = context.token;
  if (context.locale) preferences.locale = context.locale;
  if (context.timeZone) preferences.zone = context.timeZone;
  if (context.theme) preferences.theme = context.theme;
  fixedServiceNumber.value = context.serviceNumberId ?? null;
  hostContext.value = context;
  for (const resolve of waiting) resolve(isSame);
  waiting = [];
}

function allowedOrigins(): string[] {
  return originsOf(document.querySelector<HTMLMetaElement>('meta[name="embed-allowed-origins"]')?.content);
}

/** Reports to the parent that the page is ready; only an allowed parent receives it. */
function reportReady(allowed: readonly string[]): void {
  if (window.parent === window) return;
  const parentOrigin = window.location.ancestorOrigins?.[0];
  const targets = parentOrigin === undefined ? allowed : allowed.filter((origin) => origin === parentOrigin);
  for (const origin of targets) window.parent.postMessage({ type: 'outreach:ready' }, origin);
}

/** Asks the host for a new token, once for all waiting calls; false where the host does not respond in time. */
function renew(allowed: readonly string[]): Promise<boolean> {
  if (window.parent === window) return Promise.resolve(false);
  return new Promise<boolean>((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) reportReady(allowed);
    setTimeout(() => {
      waiting = waiting.filter((one) => one !== resolve);
      resolve(false);
    }, patience);
  });
}

/** Takes the context from the address, removes it there immediately, and listens to the host. */
export function startBridge(): void {
  const { context, rest } = takeFromAddress(new URL(window.location.href));
  if (rest !== `${window.location.pathname}${window.location.search}${window.location.hash}`) {
    window.history.replaceState(window.history.state, '', rest);
  }
  const allowed = allowedOrigins();
  credentials.renew = () => renew(allowed);
  addEventListener('message', (event) => {
    if (event.source !== window.parent || !allowed.includes(event.origin)) return;
    const sent = contextOfMessage(event.data);
    if (sent) accept(sent);
  });
  if (context) accept(context);
  reportReady(allowed);
}
