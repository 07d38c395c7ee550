import { expect } from 'chai';
import {
  type CompletionReply,
  startTestCompletions,
  type TestCompletions,
} from '#test/support/doubles/chat-completions.ts';
import { createHttpExchange, type HttpExchange } from '../http/exchange.ts';
import { createChatCompletions } from './chat-completions.ts';

const apiKey = 'sk-secret-of-the-test';
const prompt = { system: 'Be short', user: 'A private brief' };

describe('chat completions', () => {
  let provider: TestCompletions;
  let exchange: HttpExchange;
  let impatient: HttpExchange;
  before(async () => {
    provider = await startTestCompletions();
    exchange = createHttpExchange({ timeoutMs: 60_000, connections: 4 });
    impatient = createHttpExchange({ timeoutMs: 300, connections: 4 });
  });
  after(async () => {
    await exchange.destroy();
    await impatient.destroy();
    await provider.close();
  });

  const model = (more: { baseUrl?: string; apiKey?: string | undefined; exchange?: HttpExchange } = {}) =>
    createChatCompletions({ baseUrl: provider.baseUrl, apiKey, model: 'writer-1', exchange, ...more });
  const asked = async (reply: CompletionReply) => {
    provider.behave(() => reply);
    return model(reply === 'lost' ? { exchange: impatient } : {}).complete(prompt);
  };

  it('asks the model with our key and returns its text', async () => {
    expect(await asked({ text: 'Hello' })).to.deep.equal({ kind: 'text', text: 'Hello' });
    const call = provider.calls.at(-1);
    expect(call?.path).to.equal('/v1/chat/completions');
    expect(call?.headers.authorization).to.equal(`Bearer ${apiKey}`);
    expect(call?.body).to.deep.equal({
      model: 'writer-1',
      messages: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: 'A private brief' },
      ],
    });
    provider.behave(() => ({ text: 'Hello' }));
    await model({ baseUrl: `${provider.baseUrl}/`, apiKey: undefined }).complete(prompt);
    expect(provider.calls.at(-1)?.headers.authorization).to.equal(undefined);
    expect(provider.calls.at(-1)?.path).to.equal('/v1/chat/completions');
  });

  const outcomes: [string, CompletionReply, object][] = [
    ['401', { status: 401, body: { error: { message: `Incorrect API key: ${apiKey}` } } }, { kind: 'misconfigured' }],
    ['404', { status: 404 }, { kind: 'misconfigured' }],
    ['400', { status: 400, body: { error: { message: prompt.user } } }, { kind: 'refused' }],
    ['a filtered text', { text: 'x', finishReason: 'content_filter' }, { kind: 'refused' }],
    ['429', { status: 429, headers: { 'retry-after': '7' } }, { kind: 'failed', retryAfterMs: 7000 }],
    ['503', { status: 503 }, { kind: 'failed', retryAfterMs: null }],
    ['no JSON', { status: 200, body: '<html>' }, { kind: 'failed', retryAfterMs: null }],
    ['another shape', { status: 200, body: { choices: [] } }, { kind: 'failed', retryAfterMs: null }],
    ['no response in time', 'lost', { kind: 'failed', retryAfterMs: null }],
  ];
  for (const [what, reply, expected] of outcomes) {
    it(`reports what ${what} means, and neither key nor brief`, async () => {
      const outcome = await asked(reply);
      expect(outcome).to.include(expected);
      expect(JSON.stringify(outcome)).to.not.include(apiKey).and.not.include(prompt.user);
    });
  }

  it('reports that nobody listens', async () => {
    expect(await model({ baseUrl: 'http://127.0.0.1:9/v1' }).complete(prompt)).to.include({ kind: 'failed' });
  });
});
