export interface Waiting {
  /** Ends the wait. */
  signal?: AbortSignal;
  /** Somebody waits for the response: before all others, however many calls are under way. */
  ahead?: boolean;
}

interface Waiter<Value> {
  ahead: boolean;
  resolve(value: Value | null): void;
  reject(error: unknown): void;
}

/** Callers waiting for a value, in order. */
export interface Queue<Value> {
  readonly length: number;
  /** Who gets the next value; undefined if the queue is empty. */
  first(): { ahead: boolean } | undefined;
  /** Resolves with null if the wait ends without a value. */
  join(waiting: Waiting): Promise<Value | null>;
  serve(value: Value): void;
  /** Ends every wait without a value, or with the error. */
  dismiss(error?: unknown): void;
}

export function createQueue<Value>(): Queue<Value> {
  const waiters: Waiter<Value>[] = [];

  const join = ({ signal, ahead = false }: Waiting) =>
    new Promise<Value | null>((resolve, reject) => {
      const left = () => signal?.removeEventListener('abort', leave);
      const waiter: Waiter<Value> = {
        ahead,
        resolve: (value) => {
          left();
          resolve(value);
        },
        reject: (error) => {
          left();
          reject(error as Error);
        },
      };
      function leave(): void {
        waiters.splice(waiters.indexOf(waiter), 1);
        waiter.resolve(null);
      }
      signal?.addEventListener('abort', leave, { once: true });
      if (ahead) waiters.unshift(waiter);
      else waiters.push(waiter);
    });

  return {
    get length() {
      return waiters.length;
    },
    first: () => waiters[0],
    join,
    serve: (value) => waiters.shift()?.resolve(value),
    dismiss: (error) => {
      for (const waiter of waiters.splice(0)) {
        if (error === undefined) waiter.resolve(null);
        else waiter.reject(error);
      }
    },
  };
}
