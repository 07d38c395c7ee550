import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../start/services.ts';
import { testFiles } from '../test/files.ts';
import { mutants } from './list/index.ts';
import { forModel } from './list/model.ts';
import { describeMutant, faultOf, type Mutant } from './mutant.ts';
import { isNotice } from './run.ts';

describe('the list of mutants', () => {
  it('fits the code, as that for the model of sends does: each change is possible, in one place, and has tests', () => {
    const files = testFiles();
    const sourceOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
    const faults = [...mutants, ...forModel].flatMap(
      (mutant) => faultOf(mutant, sourceOf(join(projectFolder, mutant.file)), files) ?? [],
    );
    expect(faults).to.deep.equal([]);
  });

  it('has no change twice', () => {
    const keys = mutants.map(({ file, from, to }) => JSON.stringify([file, from, to]));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).to.deep.equal([]);
  });

  it('is printed with the words that change', () => {
    const printed = (from: string, to: string) => describeMutant({ file: 'a.ts', from, to, tests: [], why: '' });
    expect(printed('where a = 1\n  and b = 2 limit 1', 'where a = 1\n  limit 1')).to.equal(
      'a.ts: and b = 2 → (nothing)',
    );
    expect(printed('x > 1', 'x >= 1')).to.equal('a.ts: > → >=');
    expect(printed('return x;', '')).to.equal('a.ts: return x; → (nothing)');
  });

  it('names what does not fit', () => {
    const mutant: Mutant = { file: 'a.ts', from: 'x > 1', to: 'x >= 1', tests: ['a.test'], why: 'one too many' };
    const fault = (more: Partial<Mutant>, source: string | null = 'if (x > 1) y();') =>
      faultOf({ ...mutant, ...more }, source, ['b/a.test.ts']);
    expect(fault({})).to.equal(null);
    expect(fault({}, null)).to.equal('a.ts: there is no such file');
    expect(fault({}, 'x > 1 && x > 1')).to.equal('a.ts: “x > 1” occurs 2 times, not once');
    expect(fault({ from: 'x  > 2' })).to.equal('a.ts: “x > 2” occurs 0 times, not once');
    expect(fault({ to: 'x > 1' })).to.equal('a.ts: “x > 1” is not changed');
    expect(fault({ tests: ['a.test', 'c.test'] })).to.equal('a.ts: no test file for “c.test”');
    expect(fault({ tests: [] })).to.equal('a.ts: no test file for “x > 1”');
  });
});

describe('a test that failed with a mutant', () => {
  const failing = (err: object) => isNotice({ fullTitle: 'it', file: 'a.test.ts', err });

  it('noticed it, unless the mutant is no working code', () => {
    expect(failing({ stack: 'AssertionError: expected 1 to equal 2', actual: '1' })).to.equal(true);
    expect(failing({ stack: 'error: duplicate key', code: '23505' })).to.equal(true);
    expect(failing({ stack: 'error: syntax error at or near "and"', code: '42601' })).to.equal(false);
    expect(failing({ stack: 'ReferenceError: y is not defined' })).to.equal(false);
    expect(failing({ stack: 'AssertionError: expected 500 to equal 200', actual: '500' })).to.equal(false);
  });
});
