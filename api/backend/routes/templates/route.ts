import { createCampaign } from '#commands/outreach/campaigns/create-campaign.ts';
import { changeTemplate } from '#commands/outreach/templates/change-template.ts';
import { createTemplate } from '#commands/outreach/templates/create-template.ts';
import { deleteTemplate } from '#commands/outreach/templates/delete-template.ts';
import { type ListedTemplateRecord, listTemplates } from '#db/outreach/templates/templates.ts';
import { readTemplate, readVersion, type TemplateRecord } from '#commands/outreach/templates/templates.ts';
import { listVersions, type TemplateVersionRecord } from '#db/outreach/templates/versions.ts';
import { assertActiveServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import {
  type ListedTemplate,
  type Template,
  type TemplateContent,
  templateOperations,
  type TemplateVersion,
} from '#domain/api/templates.ts';
import { withChoice } from '#domain/campaigns/cases/cases.ts';
import { contentOf } from '#domain/campaigns/fields.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { mapPage } from '#domain/cursor.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { presentCampaign } from '../campaigns/present.ts';
import { checkDraft } from '../campaigns/content.ts';
import { withUsual } from '../sends/commands.ts';
import { ifMatch } from '#api/backend/if-match.ts';
import { assertDeclared, filledBody } from './fill.ts';

const presentListed = (row: ListedTemplateRecord): ListedTemplate => ({
  templateId: row.templateId,
  etag: etagOf(row.revision),
  name: row.name,
  kind: row.kind,
  serviceNumberId: row.serviceNumberId,
  version: row.version,
  variables: row.variables,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  updatedBy: row.updatedBy,
  updatedAt: row.updatedAt.toISOString(),
});

const presentContent = (content: TemplateContent): TemplateContent => ({
  ...withChoice(content),
  ...(content.steps && { steps: content.steps.map(withChoice) }),
});

const present = (row: TemplateRecord): Template => ({ ...presentListed(row), content: presentContent(row.content) });

const presentVersion = (row: TemplateVersionRecord): TemplateVersion => ({
  ...row,
  content: presentContent(row.content),
  createdAt: row.createdAt.toISOString(),
});

type LoadTemplate = (request: { actor: Actor; params: { templateId: string } }) => Promise<TemplateRecord>;

/** Access to the template is checked before the body. */
const loading =
  ({ database }: BackendDeps): LoadTemplate =>
  ({ actor, params: { templateId } }) =>
    readTemplate(database, actor.tenantId, templateId);

function readingRoutes(serve: ServeActor, { database }: BackendDeps, load: LoadTemplate): void {
  serve(templateOperations.listTemplates, {
    handle: async ({ actor, query }) => mapPage(await listTemplates(database, actor.tenantId, query), presentListed),
  });

  serve(templateOperations.getTemplate, {
    load,
    handle: async ({ loaded }) => present(loaded),
  });

  serve(templateOperations.listTemplateVersions, {
    load,
    handle: async ({ actor: { tenantId }, params: { templateId }, query }) =>
      mapPage(await listVersions(database, { tenantId, templateId }, query), presentVersion),
  });
}

function writingRoutes(serve: ServeActor, { database, now }: BackendDeps, load: LoadTemplate): void {
  serve(templateOperations.createTemplate, {
    handle: async ({ actor, body }) => {
      assertDeclared(body.kind, body);
      const { serviceNumberId = null } = body;
      const created = await createTemplate(database, authorOf(actor), body, {
        now: now(),
        check: async (transaction) => {
          if (serviceNumberId !== null) await assertActiveServiceNumber(transaction, actor.tenantId, serviceNumberId);
        },
      });
      return present(created);
    },
  });

  serve(templateOperations.updateTemplate, {
    load,
    current: ({ loaded }) => present(loaded),
    handle: async ({ actor, params: { templateId }, headers, body: { basedOn, ...patch } }) => {
      const changed = await changeTemplate(database, authorOf(actor), templateId, {
        basedOn,
        checkRevision: ifMatch(headers['if-match']),
        action: 'template.update',
        now: now(),
        change: async (_, before) => {
          const { content = before.content, variables = before.variables } = patch;
          const isNew = patch.content !== undefined || patch.variables !== undefined;
          if (isNew) assertDeclared(before.kind, { content, variables });
          return { name: patch.name ?? before.name, next: isNew ? { content, variables, restoredFrom: null } : null };
        },
      });
      return present(changed);
    },
  });

  serve(templateOperations.restoreTemplate, {
    load,
    handle: async ({ actor, params: { templateId }, body: { version, basedOn } }) => {
      const { tenantId } = actor;
      const restored = await changeTemplate(database, authorOf(actor), templateId, {
        basedOn,
        action: 'template.restore',
        now: now(),
        change: async (transaction, { name }) => {
          const { content, variables } = await readVersion(transaction, { tenantId, templateId, version });
          return { name, next: { content, variables, restoredFrom: version } };
        },
      });
      return present(restored);
    },
  });

  serve(templateOperations.deleteTemplate, {
    handle: async ({ actor, params: { templateId }, headers }) => {
      await deleteTemplate(database, authorOf(actor), templateId, ifMatch(headers['if-match']));
      return undefined;
    },
  });
}

/** What campaigns are made from: versions that never change, with variables that are filled once for a campaign. */
export function templateRoutes(serve: ServeActor, deps: BackendDeps): void {
  const { database, now, appId } = deps;
  const load = loading(deps);
  readingRoutes(serve, deps, load);
  writingRoutes(serve, deps, load);

  serve(templateOperations.useTemplate, {
    load,
    handle: async ({ actor, params: { templateId }, body, loaded: template }) => {
      const { serviceNumberId } = template;
      if (serviceNumberId !== null && serviceNumberId !== body.serviceNumberId)
        throw new Problem('invalid_content', 'The template is for another service number', {
          errors: [invalidField('/serviceNumberId', 'unknown_service_number')],
        });
      const at = now();
      const filled = await withUsual(deps, actor, filledBody(template, body));
      const campaign = await createCampaign(database, authorOf(actor), contentOf(filled), {
        now: at,
        template: { templateId, version: template.version },
        check: (transaction, content) => checkDraft(transaction, content, { ...actor, appId, now: at }),
      });
      return presentCampaign(campaign);
    },
  });
}
