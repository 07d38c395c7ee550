import { readonly, shallowRef } from 'vue';
import { hasUnsavedEdits } from '../unsaved-edits.ts';

const NOTE = 'outreach.reloaded';
const ONCE_WITHIN_MS = 60_000;

const outdated = shallowRef(false);

function isFirst(): boolean {
  try {
    const before = Number(sessionStorage.getItem(NOTE));
    sessionStorage.setItem(NOTE, String(Date.now()));
    return Date.now() - before > ONCE_WITHIN_MS;
  } catch {
    return false;
  }
}

/**
 * To be called where a part of the console could not be loaded: a newer release has taken its place, unless the server cannot
 * be reached. The address is opened in the newer one, once, and not while something on the page would be lost.
 */
export async function openNewRelease(address: string): Promise<void> {
  const isReached = await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  if (!isReached) return;
  if (hasUnsavedEdits() || !isFirst()) {
    outdated.value = true;
    return;
  }
  history.replaceState(null, '', address);
  location.reload();
}

export const isOutdated = readonly(outdated);
