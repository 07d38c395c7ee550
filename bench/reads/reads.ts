import type { AudiencePreview } from '#domain/api/audiences.ts';
import type { Backtest } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import { rows } from '#db/database.ts';
import { type Stack, startStack } from '#test/support/services/stack.ts';
import { installTenant, signerOf } from '#test/support/services/tenant.ts';
import { elapsed } from '../elapsed.ts';
import { contactResults } from './contact-results.ts';
import { past } from './past.ts';
import { CLICK_DAYS, fill, type Size } from './scene.ts';
import { segments } from './segments.ts';
import { times } from './times.ts';

const DAY_MS = 86_400_000;

const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** By hand: those who have both tags, follow, and have not unsubscribed. */
const countByHand = `
  select count(*) from contact_profile p
  where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.follow_state = 'following' and not p.unsubscribed
    and exists (select from tag_assignment a where a.tag_id = :one and a.contact_id = p.contact_id)
    and exists (select from tag_assignment a where a.tag_id = :two and a.contact_id = p.contact_id)`;

const clicksByHand = `
  select date_trunc('day', clicked_at), count(*) from click_attribution
  where tenant_id = :tenantId and clicked_at >= :from group by 1`;

async function measure(stack: Stack, size: Size) {
  const owner = stack.database.connect('outreach', 'owner');
  const tenant = await installTenant(stack, { tenantId: 'vast', serviceNumberId: 'sn-1', contacts: 1 });
  const { api, tenantId, serviceNumberId } = tenant;
  const { tagId } = await api.post<Tag>('/tags', { name: 'Everybody', serviceNumberId, kind: 'permanent' });
  const { tenantIntegrationId } = await signerOf(tenant);
  const owned = { tenantId, serviceNumberId, tenantIntegrationId };
  const [{ tagIds, campaignId }, fillSeconds] = await elapsed(() => fill(owner, { ...owned, tagId }, size));
  const [one = '', two = '', three = ''] = tagIds;
  const preview = (appTagIds: string[], tagOperator: 'AND' | 'OR', excludeTagIds: string[] = []) => {
    const audience = { type: 'app_tags', appTagIds, tagOperator, excludeTagIds };
    return times(() => api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience }));
  };
  const rule = async (more: object) => {
    const body = { name: 'Rule', targetTagId: tagId, status: 'paused', matchCondition: { all: [] }, ...more };
    return (await api.post<{ ruleId: string }>('/smart-tag-rules', body)).ruleId;
  };
  const backtest = async (more: object) => {
    const ruleId = await rule(more);
    const period = { from: since(CLICK_DAYS), to: new Date().toISOString() };
    const [found, seconds] = await elapsed(() => api.post<Backtest>(`/smart-tag-rules/${ruleId}:backtest`, period));
    return { seconds, events: found.events, contacts: found.contacts };
  };
  const overview = (days: number) => times(() => api.get(`/overview?from=${since(days)}&timeZone=Asia%2FTaipei`));
  const search = (q: string) => times(() => api.get(`/contacts?serviceNumberId=${serviceNumberId}&q=${q}`));
  return {
    ...size,
    fillSeconds,
    preview: {
      floorBothTags: await times(() => rows(owner, countByHand, { tenantId, serviceNumberId, one, two }), 5),
      oneTag: await preview([tagId], 'OR'),
      bothTags: await preview([one, two], 'AND'),
      anyOfThree: await preview([one, two, three], 'OR'),
      bothButNotThird: await preview([one, two], 'AND', [three]),
    },
    overview: {
      floorSevenDays: await times(() => rows(owner, clicksByHand, { tenantId, from: since(7) }), 5),
      sevenDays: await overview(7),
      thirtyDays: await overview(30),
    },
    search: {
      floorOnePage: await times(() => api.get(`/contacts?serviceNumberId=${serviceNumberId}`)),
      common: await search('ab'),
      rare: await search('9q'),
      absent: await search('zz'),
    },
    backtest: {
      clicks: await backtest({ triggerEvent: 'notice.clicked' }),
      noResponse: await backtest({ triggerEvent: 'no_response_for_N_days', days: 2 }),
    },
    segment: await segments(owner, api, { ...owned, campaignId, tagId: one }, size),
    results: await contactResults(stack, tenant, campaignId),
    past: await past(owner, api, { ...owned, campaignId, tagId: one }),
  };
}

/**
 * What an operator waits for with `contacts` contacts (by default 1,000,000), three times as many assignments of tags,
 * and `clicks` clicks (by default 600,000): a preview, the overview, the search of two letters, backtests, and a
 * preview of a segment of three parts beside a hundred campaigns, the contacts of a campaign that reached everybody, and
 * previews as of an earlier time; next to some of them the same by hand in one statement.
 */
export async function reads({
  contacts = 1_000_000,
  clicks = 600_000,
}: Partial<Record<'contacts' | 'clicks', number>>) {
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'] });
  try {
    return await measure(stack, { contacts, clicks });
  } finally {
    await stack.stop();
  }
}
