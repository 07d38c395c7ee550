import { onScopeDispose, readonly, shallowRef } from 'vue';
import { createBrowserNotices, type Showing } from './browser-notices.ts';
import { followUnread, pollUnread } from './follow-unread.ts';
import { knowsOtherTabs, oneForAllTabs } from './one-for-all-tabs.ts';

/**
 * How many notices a person has not read. One tab follows them for all, since a browser opens six connections to a server
 * at most, and shows them by the browser.
 * @param person whom they are for
 */
export function useUnreadNotices(person: string, showing: Showing) {
  const unread = shallowRef(0);
  const show = (count: number) => (unread.value = count);
  const left = new AbortController();
  const workBy =
    (follow: typeof followUnread) =>
    (tell: (count: number) => void, signal: AbortSignal): Promise<void> => {
      const compare = createBrowserNotices(showing, signal);
      return follow((count) => {
        tell(count);
        compare();
      }, signal);
    };
  if (knowsOtherTabs())
    onScopeDispose(oneForAllTabs({ name: `outreach.notices ${person}`, work: workBy(followUnread), show }));
  else {
    void workBy(pollUnread)(show, left.signal);
    onScopeDispose(() => left.abort());
  }
  return { unread: readonly(unread), show };
}
