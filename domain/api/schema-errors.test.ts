import { expect } from 'chai';
import type { z } from 'zod';
import { campaignBodySchema } from './campaign.ts';
import { fieldErrors } from './problem.ts';
import { ruleBodySchema } from './rules.ts';
import { tagBodySchema } from './tags.ts';

const rejected = (schema: z.ZodType, body: unknown) =>
  Object.fromEntries(
    fieldErrors(schema.safeParse(body).error as z.ZodError).map(({ path, code, params }) => [
      path,
      params ? `${code} ${params['limit']}` : code,
    ]),
  );

const campaign = {
  name: 'Winter menu',
  serviceNumberId: 'sn',
  messages: [{ type: 'text', text: 'Hello' }],
  audience: { type: 'contacts', contactIds: ['c1'] },
  schedule: { type: 'immediate' },
};

describe('errors of a schema', () => {
  it('give the reason as a code, with the limit', () => {
    const url = { type: 'Url', label: ' ', url: 'ftp://harbor.example' };
    const [title, text] = ['x'.repeat(201), 'a\u0000b'];
    const messages = [{ type: 'buttons', title, text, actions: [url] }, { type: 'video' }];
    const audience = { type: 'contacts' };
    const body = { ...campaign, name: '', messages, audience, schedule: { type: 'scheduled', at: 'soon' }, endsAt: 3 };
    expect(rejected(campaignBodySchema, body)).to.deep.equal({
      '/name': 'blank',
      '/messages/0/title': 'too_long 200',
      '/messages/0/text': 'unstorable',
      '/messages/0/actions/0/label': 'blank',
      '/messages/0/actions/0/url': 'no_address',
      '/messages/1/type': 'no_choice',
      '/audience': 'list_or_ids',
      '/schedule/at': 'no_moment',
      '/endsAt': 'wrong_kind',
    });
  });

  it('distinguish lists from texts and numbers', () => {
    expect(rejected(campaignBodySchema, { ...campaign, messages: [] })).to.deep.equal({ '/messages': 'too_few 1' });
    const six = Array.from({ length: 6 }, () => ({ type: 'text', text: 'Hello' }));
    expect(rejected(campaignBodySchema, { ...campaign, messages: six })).to.deep.equal({ '/messages': 'too_many 5' });
    const rule = {
      name: 'Silent',
      triggerEvent: 'no_response_for_N_days',
      matchCondition: { all: [] },
      targetTagId: 't',
    };
    expect(rejected(ruleBodySchema, { ...rule, days: 91 })).to.deep.equal({ '/days': 'too_high 90' });
    expect(rejected(ruleBodySchema, { ...rule, days: 0 })).to.deep.equal({ '/days': 'too_low 1' });
  });

  it('keep the code of a refinement', () => {
    const rule = {
      name: 'Silent',
      triggerEvent: 'no_response_for_N_days',
      matchCondition: { all: [] },
      targetTagId: 't',
    };
    expect(rejected(ruleBodySchema, rule)).to.deep.equal({ '/days': 'days_needed' });
    const tag = { name: 'fair', serviceNumberId: 'sn', kind: 'temporary', color: 'red' };
    expect(rejected(tagBodySchema, { ...tag, color: undefined })).to.deep.equal({ '/expiresAt': 'expiry_needed' });
    expect(rejected(tagBodySchema, { ...tag, expiresAt: '2026-12-01T00:00:00Z' })).to.deep.equal({
      '/color': 'malformed',
    });
  });

  it('tell a tree that is too deep from something that is not a tree', () => {
    const rule = { name: 'Claimers', triggerEvent: 'notice.clicked', targetTagId: 't' };
    const parts = Array.from({ length: 101 }, () => ({ all: [] }));
    expect(rejected(ruleBodySchema, { ...rule, matchCondition: { all: parts } })).to.deep.equal({
      '/matchCondition': 'too_deep',
    });
    expect(rejected(ruleBodySchema, { ...rule, matchCondition: { some: [] } })).to.deep.equal({
      '/matchCondition': 'malformed',
    });
  });
});
