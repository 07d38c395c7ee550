import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../http/listen.ts';

/** A backend that opens every stream it is asked for, and answers everything else at once. */
export async function startStreamingBackend() {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/stream')) {
      open.add(response);
      response.once('close', () => open.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return;
    }
    // Never answered.
    if (request.url?.includes('q=slow')) return;
    const expiresAt = new Date(Date.now() + 300_000).toISOString();
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: 't', expiresAt, items: [] }));
  });
  const url = await listen(server);
  return {
    url,
    open,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export type StreamingBackend = Awaited<ReturnType<typeof startStreamingBackend>>;

/** Waits for the next event or the end. @returns whether it was the end. */
export const isOver = async (response: Response): Promise<boolean> =>
  response.body
    ?.getReader()
    .read()
    .then(
      ({ done }) => done,
      () => true,
    ) ?? true;
