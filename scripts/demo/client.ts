/** A rejected call made by the demonstration itself; the start prints it and stops. */
export class DemoError extends Error {
  override name = 'DemoError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface JsonClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  delete(path: string, body?: unknown): Promise<void>;
}

/** JSON over HTTP to one service, as any of its clients would call it; calls are rejected once the signal is aborted. */
export function jsonClient(base: string, token?: string, signal?: AbortSignal): JsonClient {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${base}${path}`, {
      method,
      signal: signal ?? null,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new DemoError(
        response.status,
        `${method} ${base}${path} responded with ${response.status}: ${text.slice(0, 500)}`,
      );
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path, body) => call('DELETE', path, body),
  };
}
