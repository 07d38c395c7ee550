import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { automationSkipReasons } from '#domain/automations/statuses.ts';
import { timelineFilters } from '#domain/contacts/timeline-filters.ts';
import { auditActions, auditSubjects } from '#domain/orders/administration/audit.ts';
import { couponStatuses } from '#domain/orders/administration/catalogue.ts';
import { orderCodes } from '#domain/orders/codes.ts';
import { deliveryStatuses } from '#domain/orders/administration/merchant-events.ts';
import { movementKinds } from '#domain/orders/administration/points.ts';
import { differenceKinds, reconciliationStatuses } from '#domain/orders/administration/reconciliation.ts';
import { disputeStatuses } from '#domain/orders/administration/disputes.ts';
import { refundStatuses } from '#domain/orders/administration/refunds.ts';
import { orderStatus, paymentStatus, pointsStatus } from '#domain/orders/states.ts';
import { fieldNames } from '../pages/campaigns/editor/draft/draft.ts';
import { differences, flatten } from './differences.ts';
import { missingProblemKeys } from './problem-keys.ts';
import { readLocale } from './read-locale.ts';

const web = fileURLToPath(new URL('..', import.meta.url));

function sources(): { file: string; text: string }[] {
  return readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(vue|ts)$/.test(file) && !/\.test\.ts$|node_modules/.test(file))
    .map((file) => ({ file, text: readFileSync(join(web, file), 'utf8') }));
}

/** Keys as they appear in `t('…')`, `keypath="…"` and the tables of pages; `…${x}…` becomes a pattern. */
function used(): { file: string; key: string }[] {
  const calls = /\bt\(\s*(?:'([^']+)'|`([^`]+)`)/g;
  const others = /(?:keypath="|(?:title|label): ')((?:[a-z]\w*\.)+\w+)/g;
  return sources().flatMap(({ file, text }) => [
    ...[...text.matchAll(calls)].map((match) => ({ file, key: match[1] ?? match[2] ?? '' })),
    ...[...text.matchAll(others)].map((match) => ({ file, key: match[1] ?? '' })),
  ]);
}

const patternOf = (key: string) =>
  new RegExp(
    `^${key
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll('.', '\\.'))
      .join('\\w+')}$`,
  );

describe('locales', () => {
  it('have the same keys and placeholders', () => {
    expect(differences(readLocale('en'), readLocale('zh-Hant'))).to.deep.equal([]);
  });

  it('notice what is missing, empty or different', () => {
    expect(differences({ a: { b: 'x {n}', c: 'y' } }, { a: { b: 'x', d: '' } })).to.have.members([
      'a.b: placeholders differ',
      'a.c: only in the first',
      'a.d: only in the second',
    ]);
  });

  for (const name of ['en', 'zh-Hant']) {
    it(`have a text for each API problem and each field error in ${name}`, () => {
      expect(missingProblemKeys(readLocale(name))).to.deep.equal([]);
    });
  }

  it('notice a problem without a text', () => {
    const { problem, ...others } = readLocale('en') as unknown as { problem: Record<string, unknown> };
    const { conflict: _, ...rest } = problem;
    expect(missingProblemKeys({ ...others, problem: rest })).to.deep.equal([
      'problem.conflict.title',
      'problem.conflict.advice',
    ]);
  });

  it('label every field of a campaign that the editor edits', () => {
    const labels = fieldNames.map((field) => `editor.place.${field}`);
    expect([...flatten(readLocale('en')).keys()]).to.include.members(labels);
  });

  it('label every kind of entry that a timeline can be filtered by', () => {
    const labels = timelineFilters.map((kind) => `contact.kind.${kind}`);
    expect([...flatten(readLocale('en')).keys()]).to.include.members(labels);
  });

  it('label whatever the order service reports by name', () => {
    const texts = flatten(readLocale('en'));
    const named: Record<string, readonly (string | number)[]> = {
      'orders.code.': Object.keys(orderCodes).filter((code) => code !== '1000'),
      'orders.state.order.': Object.keys(orderStatus),
      'orders.state.points.': Object.keys(pointsStatus),
      'orders.state.payment.': Object.keys(paymentStatus),
      'orders.refund.status.': refundStatuses,
      'disputes.status.': disputeStatuses,
      'coupons.status.': couponStatuses,
      'points.movement.': movementKinds,
      'reconciliation.kind.': differenceKinds,
      'reconciliation.advice.': differenceKinds,
      'reconciliation.status.': reconciliationStatuses,
      'salesAudit.action.': auditActions.map((action) => action.replaceAll('.', '_')),
      'salesAudit.subjects.': auditSubjects,
      'webhook.status.': deliveryStatuses,
    };
    const wanted = Object.entries(named).flatMap(([prefix, names]) => names.map((name) => `${prefix}${name}`));
    expect(wanted.filter((key) => !texts.has(key))).to.deep.equal([]);
  });

  it('have words for each reason for which automations skip', () => {
    const texts = flatten(readLocale('en'));
    expect(automationSkipReasons.filter((reason) => !texts.has(`automations.reason.${reason}`))).to.deep.equal([]);
  });

  it('hold every key that the console uses', () => {
    const texts = flatten(readLocale('en'));
    const keys = [...texts.keys()];
    const isKnown = (key: string) => {
      const pattern = patternOf(key);
      return texts.has(key) || keys.some((known) => pattern.test(known));
    };
    const missing = used().filter(({ key }) => !isKnown(key));
    expect(missing).to.deep.equal([]);
  });
});
