import { computed, shallowRef, watch } from 'vue';
import type { Notice } from '#domain/api/notices.ts';

/** Notices as notifications of the browser, also where the console is behind other windows. */
const storageKey = 'outreach.browser-notices';

const isPossible = 'Notification' in globalThis;

function stored(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'on';
  } catch {
    return false;
  }
}

const currentPermission = () => (isPossible ? Notification.permission : 'denied');
const permission = shallowRef<NotificationPermission>(currentPermission());
const wanted = shallowRef(stored());
// Another tab has asked.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return;
  permission.value = currentPermission();
  wanted.value = stored();
});

const isOn = computed(() => wanted.value && permission.value === 'granted');

/** The switch of this browser; whoever turns it on is asked by the browser, and nobody else is. */
export function useBrowserNotices() {
  async function turn(on: boolean): Promise<void> {
    if (on) permission.value = await Notification.requestPermission();
    wanted.value = on && permission.value === 'granted';
    try {
      localStorage.setItem(storageKey, wanted.value ? 'on' : 'off');
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  }
  return { isPossible, isOn, isDenied: computed(() => permission.value === 'denied'), turn };
}

export interface Showing {
  /** Those unread, newest first. */
  read: () => Promise<Notice[]>;
  wordsOf: (notice: Notice) => { title: string; body: string };
  open: (notice: Notice) => void;
}

/** Shows one; another tab that shows the same replaces it. */
function showNotice(notice: Notice, { wordsOf, open }: Showing): Notification | null {
  const { title, body } = wordsOf(notice);
  try {
    const shown = new Notification(title, { body, tag: notice.noticeId, icon: '/icon.svg' });
    shown.addEventListener('click', () => {
      window.focus();
      open(notice);
      shown.close();
    });
    return shown;
  } catch {
    // Browsers of phones have the constructor and refuse it.
    return null;
  }
}

/**
 * Shows what is new since this began or was switched on, and takes back what is solved or read.
 * @returns to be called with every change, by the tab that follows for all
 */
export function createBrowserNotices(showing: Showing, signal: AbortSignal): () => void {
  const shown = new Map<string, Notification | null>();
  let known: Set<string> | null = null;
  async function compare(): Promise<void> {
    if (!isOn.value) return;
    const unread = await showing.read();
    const ids = new Set(unread.map(({ noticeId }) => noticeId));
    for (const [id, notification] of shown) {
      if (ids.has(id)) continue;
      notification?.close();
      shown.delete(id);
    }
    for (const notice of unread)
      if (known && !known.has(notice.noticeId)) shown.set(notice.noticeId, showNotice(notice, showing));
    known = ids;
  }
  // One after the other, so that each is shown once. What could not be read is shown with the next change.
  let last = Promise.resolve();
  const next = () => {
    last = last.then(compare).catch(() => undefined);
  };
  const stop = watch(isOn, () => {
    known = null;
    next();
  });
  signal.addEventListener('abort', stop);
  return next;
}
