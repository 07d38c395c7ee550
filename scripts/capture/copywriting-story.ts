import { eventually } from '#test/support/time/eventually.ts';
import { cardsText, type CompletionReply, type TestCompletions } from '#test/support/doubles/chat-completions.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { jsonClient } from '../demo/client.ts';

/** How the provider handles a brief with this name. */
const replies: Record<string, CompletionReply> = {
  written: { text: cardsText('Spring') },
  rejected: { status: 400 },
  failing: { status: 503 },
  held: 'lost',
};

/** Each way that copywriting can end, and one run still waiting for the provider when the histories are read. */
export async function playCopywriting(stack: Stack, provider: TestCompletions, token: string): Promise<void> {
  const api = jsonClient(`${stack.addresses.bff}/api`, token);
  provider.behave(({ body }) => {
    const asked = body.messages.at(-1)?.content ?? '';
    return Object.entries(replies).find(([name]) => asked.includes(`"brief":"${name}"`))?.[1] ?? { status: 404 };
  });
  for (const brief of ['written', 'refused', 'failing']) await api.post('/ai/copywriting', { brief }).catch(() => null);
  const before = provider.calls.length;
  void api.post('/ai/copywriting', { brief: 'held' }).catch(() => null);
  await eventually('the provider is asked', () => provider.calls.length > before);
}
