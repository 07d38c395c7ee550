import { batchOperations } from '#domain/api/batches.ts';
import { Problem } from '#domain/api/problem.ts';
import { ruleOperations } from '#domain/api/rules.ts';
import { mapPage } from '#domain/cursor.ts';
import { backtestRule } from '#db/outreach/rules/backtest/backtest.ts';
import { timeLimit } from '#db/outreach/rules/backtest/time-limit.ts';
import { isKnownRule, listRules, listRuleVersions } from '#db/outreach/rules/lists.ts';
import { createRule } from '#commands/outreach/rules/create-rule.ts';
import { findRule } from '#db/outreach/rules/rules.ts';
import { removeRule, removeRules } from '#commands/outreach/rules/remove-rule.ts';
import { updateRule } from '#commands/outreach/rules/update-rule.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { presentRule, presentRuleVersion } from './present.ts';

interface RuleCall {
  actor: Actor;
  params: { ruleId: string };
}

const unknown = () => new Problem('not_found', 'There is no rule with this id');

export function ruleRoutes(serve: ServeActor, { database, now, retention, rulesPerTenant }: BackendDeps): void {
  const load = async ({ actor, params }: RuleCall) => {
    const rule = await findRule(database, actor.tenantId, params.ruleId);
    if (!rule) throw unknown();
    return rule;
  };

  serve(ruleOperations.listSmartTagRules, {
    handle: async ({ actor, query }) => mapPage(await listRules(database, actor.tenantId, query), presentRule),
  });

  serve(ruleOperations.createSmartTagRule, {
    handle: async ({ actor, body }) =>
      presentRule(await createRule(database, authorOf(actor), body, { now: now(), rulesPerTenant })),
  });

  serve(ruleOperations.getSmartTagRule, { load, handle: async ({ loaded }) => presentRule(loaded) });

  serve(ruleOperations.updateSmartTagRule, {
    load,
    current: ({ loaded }) => presentRule(loaded),
    handle: async ({ actor, params, headers, body: patch }) => {
      const change = { patch, now: now(), checkRevision: ifMatch(headers['if-match']) };
      return presentRule(await updateRule(database, authorOf(actor), params.ruleId, change));
    },
  });

  serve(ruleOperations.deleteSmartTagRule, {
    load,
    handle: async ({ actor, params, headers }) => {
      const given = { now: now(), checkRevision: ifMatch(headers['if-match']) };
      await removeRule(database, authorOf(actor), params.ruleId, given);
      return undefined;
    },
  });

  serve(batchOperations.removeSmartTagRules, {
    handle: async ({ actor, body }) => ({ items: await removeRules(database, authorOf(actor), body.ruleIds, now()) }),
  });

  serve(ruleOperations.listSmartTagRuleVersions, {
    load: async ({ actor, params }: RuleCall) => {
      if (!(await isKnownRule(database, actor.tenantId, params.ruleId))) throw unknown();
    },
    handle: async ({ params, query }) =>
      mapPage(await listRuleVersions(database, params.ruleId, query), presentRuleVersion),
  });

  serve(ruleOperations.backtestSmartTagRule, {
    load,
    handle: ({ ctx, actor, loaded, body }) => {
      const period = { from: new Date(body.from), to: new Date(body.to) };
      const caller = new AbortController();
      ctx.res.once('close', () => caller.abort());
      return backtestRule(database, actor.tenantId, loaded, period, {
        now: now(),
        eventsDays: retention.events,
        limit: timeLimit(caller.signal),
      });
    },
  });
}
