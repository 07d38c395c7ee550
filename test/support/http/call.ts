/** A response with what a JSON client would hide: status and headers. */
export interface CallResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Makes one call and returns any response; redirects are not followed. */
export async function call<Body = Record<string, unknown>>(
  method: string,
  url: string,
  { token, body, headers = {} }: CallOptions = {},
): Promise<CallResponse<Body>> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : text) as Body };
}
