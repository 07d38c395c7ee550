import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { projectFolder } from '../scripts/start/services.ts';
import { readWords } from './parameters.ts';

const known = { growth: ['largest'], reads: ['contacts', 'clicks'], start: [] };

describe('parameters of benches', () => {
  it('are numbers by name; without the name of a bench all are meant', () => {
    expect(readWords(['growth', 'largest=5'], known)).to.deep.equal({ names: ['growth'], parameters: { largest: 5 } });
    expect(readWords(['contacts=1e3'], known)).to.deep.equal({
      names: ['growth', 'reads', 'start'],
      parameters: { contacts: 1000 },
    });
  });

  it('are refused if none of the wanted benches has them, or if they are not numbers', () => {
    for (const words of [
      ['growth', 'power=5'],
      ['start', 'largest=5'],
      ['growth', 'largest'],
      ['growth', 'largest='],
      ['growth', 'largest=five'],
      ['growth', 'toString=5'],
      ['grow'],
      ['toString'],
    ])
      expect(() => readWords(words, known), words.join(' ')).to.throw(/no bench|no parameter|not a number/);
  });

  it('that are unknown end the program before anything is measured', () => {
    const options = { cwd: projectFolder, encoding: 'utf8' } as const;
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', 'growth', 'power=5'], options);
    expect(run.status).to.equal(1);
    expect(run.stderr).to.include('growth has no parameter power');
    expect(run.stdout).to.not.include('…');
  }).timeout(60_000);
});
