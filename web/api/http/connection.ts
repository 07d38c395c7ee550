import { onlineManager } from '@tanstack/vue-query';
import { readonly, shallowRef, watch } from 'vue';

/** `offline`: the browser knows of no network; `unreachable`: it does, but our server does not respond. */
export type Connection = 'online' | 'offline' | 'unreachable';

const PROBE_MS = 2000;

const state = shallowRef<Connection>('online');
let probing = false;

const lost = (): Connection => (navigator.onLine ? 'unreachable' : 'offline');

/** Asks for something small until the server responds. */
async function probe(): Promise<void> {
  try {
    await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' });
    probing = false;
    state.value = 'online';
  } catch {
    state.value = lost();
    setTimeout(() => void probe(), PROBE_MS);
  }
}

/** To be called where a request got no response: whether it was the connection is known once another one failed. */
export function suspectConnection(): void {
  if (probing) return;
  probing = true;
  void probe();
}

/** Queries pause while the connection is lost, and are read again as soon as it is back. */
export function watchConnection(): void {
  const lose = () => {
    state.value = lost();
    suspectConnection();
  };
  addEventListener('offline', lose);
  // The timer of the next attempt may still have seconds to go.
  addEventListener('online', () => void probe());
  if (!navigator.onLine) lose();
  onlineManager.setEventListener((setOnline) =>
    watch(state, (now) => setOnline(now === 'online'), { immediate: true, flush: 'sync' }),
  );
}

export const connection = readonly(state);
