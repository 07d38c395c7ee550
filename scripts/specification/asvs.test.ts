import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../start/services.ts';
import { asvsChecklist } from './asvs.ts';

interface Row {
  id: string;
  state: string;
  evidence?: string[];
  note?: string;
}

const rows = JSON.parse(readFileSync(join(projectFolder, 'docs/asvs.rows.json'), 'utf8')) as Row[];
const faultsWith = (id: string, changes: Partial<Row>) =>
  asvsChecklist(rows.map((row) => (row.id === id ? { ...row, ...changes } : row))).faults;

describe('the checklist of ASVS', () => {
  it('answers every requirement, and what it names exists', () => {
    expect(asvsChecklist(rows).faults).to.deep.equal([]);
  });

  it('notices a requirement without an answer', () => {
    const faults = asvsChecklist(rows.filter(({ id }) => id !== 'V3.3.1')).faults;
    expect(faults).to.deep.equal(['V3 Web frontend: 18 of 19 requirements']);
  });

  it('notices a test, a line and a file that are not there any more', () => {
    const faultOf = (evidence: string) => faultsWith('V3.3.1', { evidence: [evidence] });
    expect(faultOf('api/bff/identity/cookies.test.ts › are in a jar')).to.have.length(1);
    expect(faultOf('api/bff/identity/cookies.ts › SameSite=None')).to.have.length(1);
    expect(faultOf('api/bff/identity/biscuits.ts › SameSite')).to.have.length(1);
  });

  it('notices what is met by nothing, or not met for no reason', () => {
    expect(faultsWith('V3.3.1', { evidence: [] })).to.deep.equal(['V3.3.1: names nothing that meets it']);
    expect(faultsWith('V4.3.1', { note: '' })).to.deep.equal(['V4.3.1: is not applicable without a reason']);
  });
});
