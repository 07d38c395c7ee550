import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../scripts/start/services.ts';

const ofServices = ['activities', 'api', 'clients', 'db', 'domain', 'migrations', 'workflows'];

/** The lines of a folder's code that match, as `file: line`; tests are not part of a service. */
function linesWith(pattern: RegExp, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|vue|html)$/.test(name) && !name.endsWith('.test.ts'))
      .flatMap((name) =>
        readFileSync(join(projectFolder, folder, name), 'utf8')
          .split('\n')
          .filter((line) => pattern.test(line) && !/^\s*(\/\/|\*|\/\*\*)/.test(line))
          .map((line) => `${folder}/${name}: ${line.trim()}`),
      ),
  );
}

const filesOf = (lines: string[]): string[] => [...new Set(lines.map((line) => line.slice(0, line.indexOf(': '))))];

describe('what input never becomes', () => {
  it('no template of the console renders HTML, or a page of another technology', () => {
    const pattern =
      /v-html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|(?<!\w)<(object|embed|applet)\b|srcdoc/;
    expect(linesWith(pattern, ['web'])).to.deep.equal([]);
  });

  it('nothing evaluates code', () => {
    expect(linesWith(/\beval\(|new Function\(|node:vm/, [...ofServices, 'web'])).to.deep.equal([]);
  });

  it('no service starts programs', () => {
    expect(linesWith(/child_process|worker_threads/, ofServices)).to.deep.equal([]);
  });

  it('no service makes a regular expression of input', () => {
    expect(filesOf(linesWith(/new RegExp\(/, ofServices))).to.deep.equal(['domain/contacts/pseudonym.ts']);
  });

  it('Math.random only spreads work', () => {
    const spreading = ['activities/jitter.ts', 'api/runtime/webhooks/relay.ts'];
    expect(filesOf(linesWith(/Math\.random/, ofServices))).to.deep.equal(spreading);
  });
});
