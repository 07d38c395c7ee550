/** A message among tabs: one that has just been opened asks, and whoever does the work tells. */
type Message<State> = { asks: true } | { told: State };

interface Shared<State> {
  /** Of the work, and of whom it is for: what is in a browser may be several people's. */
  name: string;
  /** Done by one tab at a time, until the signal; `tell` reaches all. */
  work: (tell: (state: State) => void, signal: AbortSignal) => Promise<void>;
  show: (state: State) => void;
}

/** Without these, no tab knows of the others. */
export const knowsOtherTabs = (): boolean => 'locks' in navigator && 'BroadcastChannel' in globalThis;

/**
 * Has one tab of the browser do something for all: the one that holds a lock, which the next tab gets when that one closes.
 * @returns ends it for this tab
 */
export function oneForAllTabs<State>({ name, work, show }: Shared<State>): () => void {
  const left = new AbortController();
  const channel = new BroadcastChannel(name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  const post = (message: Message<State>) => channel.postMessage(message);
  /** Of the tab that works, once there is one. */
  let last: { told: State } | null = null;
  channel.addEventListener('message', ({ data }: MessageEvent<Message<State>>) => {
    if ('told' in data) show(data.told);
    else if (last) post(last);
  });
  const tell = (told: State) => {
    last = { told };
    show(told);
    post(last);
  };
  navigator.locks
    .request(name, { signal: left.signal }, () => work(tell, left.signal))
    .catch((error: unknown) => {
      if (!left.signal.aborted) throw error;
    });
  post({ asks: true });
  return () => {
    left.abort();
    channel.close();
  };
}
