import { DemoError } from './client.ts';

/** Long enough for a machine that is busy with tests as well. */
const PATIENCE_MS = 180_000;

/** @throws Error after three minutes */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`The demonstration waited three minutes for this: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Makes a call that may be repeated until another service answers in time, or the state that it needs is reached. */
export const untilAccepted = (what: string, call: () => Promise<unknown>, refusal: 409 | 503): Promise<void> =>
  until(what, async () => {
    try {
      await call();
      return true;
    } catch (error) {
      if (error instanceof DemoError && error.status === refusal) return false;
      throw error;
    }
  });
