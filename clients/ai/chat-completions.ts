import { z } from 'zod';
import type { Prompt } from '#domain/campaigns/copywriting.ts';
import { retryAfterMs } from '#domain/retry-after.ts';
import type { HttpExchange, HttpResponse } from '../http/exchange.ts';

/** `refused`: this prompt will never get a text; `misconfigured`: no prompt will; `failed`: worth a retry. */
export type CompletionOutcome =
  | { kind: 'text'; text: string }
  | { kind: 'refused' | 'misconfigured'; message: string }
  | { kind: 'failed'; message: string; retryAfterMs: number | null };

/** A service that writes text. */
export interface TextModel {
  /** Never rejects, and its messages contain neither the key nor the prompt. */
  complete(prompt: Prompt): Promise<CompletionOutcome>;
}

export interface ChatCompletionsOptions {
  /** AI_BASE_URL, e.g. `https://host/v1`. */
  baseUrl: string;
  /** AI_API_KEY; undefined for endpoints that need none. */
  apiKey: string | undefined;
  /** AI_MODEL. */
  model: string;
  exchange: HttpExchange;
}

const completionSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullable() }), finish_reason: z.string().nullish() }))
    .min(1),
});

function readText(body: string): CompletionOutcome {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined;
  }
  const completion = completionSchema.safeParse(json);
  if (!completion.success)
    return { kind: 'failed', message: 'The AI provider’s response cannot be read', retryAfterMs: null };
  const [choice] = completion.data.choices;
  if (choice?.finish_reason === 'content_filter' || !choice?.message.content)
    return { kind: 'refused', message: 'The AI provider returned no text for this brief' };
  return { kind: 'text', text: choice.message.content };
}

/** Leaves out the provider's own message, which may repeat the key or the prompt. */
function classify(response: HttpResponse): CompletionOutcome {
  const { status } = response;
  if (status >= 200 && status < 300) return readText(response.body);
  if (status === 401 || status === 403)
    return { kind: 'misconfigured', message: `The AI provider rejected our key (HTTP ${status}); check AI_API_KEY` };
  if (status === 404)
    return {
      kind: 'misconfigured',
      message: 'The AI provider does not know this model or address; check AI_BASE_URL and AI_MODEL',
    };
  if (status === 408 || status === 429 || status >= 500) {
    const wait = retryAfterMs(response.retryAfter, Date.now());
    return { kind: 'failed', message: `The AI provider responded with HTTP ${status}`, retryAfterMs: wait };
  }
  return { kind: 'refused', message: `The AI provider rejected the brief (HTTP ${status})` };
}

/** A model behind an OpenAI-compatible chat completions endpoint. */
export function createChatCompletions({ baseUrl, apiKey, model, exchange }: ChatCompletionsOptions): TextModel {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/chat/completions`);
  return {
    async complete({ system, user }) {
      const messages = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      const outcome = await exchange.send({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: Buffer.from(JSON.stringify({ model, messages })),
      });
      if (outcome.kind === 'responded') return classify(outcome.response);
      return { kind: 'failed', message: 'The AI provider did not respond', retryAfterMs: null };
    },
  };
}
