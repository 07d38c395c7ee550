import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from '../http/listen.ts';

export interface CompletionCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: { model: string; messages: { role: string; content: string }[] };
}

/** A status with a raw body, text as the model's reply, or no response until the server ends. */
export type CompletionReply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { text: string; finishReason?: string }
  | 'lost';

export interface TestCompletions {
  /** As AI_BASE_URL. */
  baseUrl: string;
  calls: CompletionCall[];
  behave(behaviour: (call: CompletionCall, count: number) => CompletionReply): void;
  close(): Promise<void>;
}

/** Cards as a model returns them, with the prose that models put around them. */
export const cardsText = (...titles: string[]): string =>
  `Here you are:\n\`\`\`json\n${JSON.stringify({
    drafts: titles.map((title) => ({ title, text: `About ${title}`, buttons: ['Have a look'] })),
  })}\n\`\`\``;

/** An endpoint over real HTTP that speaks OpenAI's chat completions. */
export async function startTestCompletions(): Promise<TestCompletions> {
  const calls: CompletionCall[] = [];
  let behaviour: Parameters<TestCompletions['behave']>[0] = () => ({ text: cardsText('Spring', 'Summer', 'Autumn') });
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as CompletionCall['body'];
      const call = { path: request.url ?? '', headers: request.headers, body };
      calls.push(call);
      const reply = behaviour(call, calls.length);
      if (reply === 'lost') return;
      const [status, result] = 'text' in reply ? [200, completion(reply)] : [reply.status, reply.body ?? {}];
      response.writeHead(status, { 'content-type': 'application/json', ...('headers' in reply ? reply.headers : {}) });
      response.end(typeof result === 'string' ? result : JSON.stringify(result));
    });
  });
  return {
    baseUrl: `${await listen(server)}/v1`,
    calls,
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const completion = ({ text, finishReason = 'stop' }: { text: string; finishReason?: string }) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
});
