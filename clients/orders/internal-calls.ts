import { createHttpExchange } from '../http/exchange.ts';

export interface OrderServiceOptions {
  baseUrl: string;
  /** Shared by the services. */
  secret: string;
  /** Certificates (PEM) to trust instead of the machine's authorities. */
  authorities?: Buffer | undefined;
}

export interface CallLimits {
  timeoutMs: number;
  connections: number;
  maximumResponseBytes: number;
}

/** Reads of the backend at the order service. */
export function createInternalCalls({ baseUrl, secret, authorities }: OrderServiceOptions, limits: CallLimits) {
  const exchange = createHttpExchange({ ...limits, authorities });
  return {
    /** The response to a GET below `/internal/v1`. @throws Error */
    async get(path: string, query: URLSearchParams): Promise<unknown> {
      const result = await exchange.send({
        method: 'GET',
        url: new URL(`${baseUrl}/internal/v1${path}?${query}`),
        headers: { authorization: `Bearer ${secret}` },
        body: null,
      });
      if (result.kind === 'failed') throw new Error(`The order service did not respond (${result.code})`, result);
      const { status, body } = result.response;
      if (status !== 200) throw new Error(`The order service responded ${status}`);
      return JSON.parse(body);
    },
    destroy: () => exchange.destroy(),
  };
}
