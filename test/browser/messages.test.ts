import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { createI18n } from 'vue-i18n';
import { ensureBuilt } from '#scripts/build/ensure.ts';
import { flatten } from '#web/locales/differences.ts';
import { temporaryFolder } from '../support/servers/servers.ts';

/** Texts in a locale file; in the built file, the compiler's output. */
interface Messages {
  [name: string]: string | Messages;
}

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const built = pathOf('dist/web');
const sourceOf = (name: string) => JSON.parse(readFileSync(pathOf(`web/locales/${name}.json`), 'utf8')) as Messages;

async function builtMessages(name: string): Promise<Messages> {
  const manifest = JSON.parse(readFileSync(join(built, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >;
  const file = manifest[`locales/${name}.json`]?.file;
  if (!file) throw new Error(`${name} was not built into a file of its own`);
  const module = (await import(pathToFileURL(join(built, file)).href)) as { default: Messages };
  return module.default;
}

function translator(messages: Messages) {
  const { global } = createI18n({ legacy: false, locale: 'en', messages: { en: messages } });
  return (key: string, named: Record<string, string>, count: number) => global.t(key, named, count);
}

describe('messages of the built console', function () {
  this.timeout(240_000);

  before(() => ensureBuilt(['web'], { logFile: join(temporaryFolder(), 'build.log') }));

  for (const name of ['en', 'zh-Hant']) {
    it(`match the locale file in ${name}`, async () => {
      const source = sourceOf(name);
      const fromSource = translator(source);
      const fromBuild = translator(await builtMessages(name));
      for (const [key, text] of flatten(source)) {
        const named = Object.fromEntries([...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => [word ?? '', `<${word}>`]));
        for (const count of [1, 2]) {
          expect(fromBuild(key, named, count), key).to.equal(fromSource(key, named, count));
        }
      }
    });
  }

  it('need no message compiler', () => {
    const compilerOnly = 'braceNest';
    expect(readFileSync(pathOf('node_modules/@intlify/message-compiler/dist/message-compiler.mjs'), 'utf8')).to.contain(
      compilerOnly,
    );
    const scripts = readdirSync(join(built, 'assets')).filter((file) => file.endsWith('.js'));
    const found = scripts.filter((file) => readFileSync(join(built, 'assets', file), 'utf8').includes(compilerOnly));
    expect(found).to.deep.equal([]);
  });
});
