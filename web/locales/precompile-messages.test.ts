import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createI18n } from 'vue-i18n';
import { flatten } from './differences.ts';
import { messagesModule } from './precompile-messages.ts';

interface Messages {
  [name: string]: string | Messages;
}

const read = (name: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`./${name}.json`, import.meta.url)), 'utf8')) as Messages;

async function evaluate(source: string): Promise<Messages> {
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return (module as { default: Messages }).default;
}

function sayer(messages: Messages) {
  const { global } = createI18n({ legacy: false, locale: 'en', messages: { en: messages } });
  return (key: string, named: Record<string, string>, count: number) => global.t(key, named, count);
}

describe('precompiled messages', () => {
  for (const name of ['en', 'zh-Hant']) {
    it(`say in ${name} what the messages themselves say`, async () => {
      const raw = read(name);
      const plain = sayer(raw);
      const compiled = sayer(await evaluate(messagesModule(raw)));
      for (const [key, text] of flatten(raw)) {
        const named = Object.fromEntries([...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => [word ?? '', `<${word}>`]));
        for (const count of [1, 2]) expect(compiled(key, named, count), key).to.equal(plain(key, named, count));
      }
    });
  }

  it('stop the build at one that is not well formed, by its name', () => {
    expect(() => messagesModule({ page: { title: 'Open {name' } })).to.throw('message page.title is not well formed');
  });
});
