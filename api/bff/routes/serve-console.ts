import type { createServe } from '#api/http/problem-api.ts';
import type { ConsoleUser } from '../identity/signed-in.ts';

/** Serves an operation of the BFF itself to people with access to the console. */
export type ServeConsole = ReturnType<typeof createServe<ConsoleUser>>;
