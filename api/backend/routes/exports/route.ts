import type { Context } from 'koa';
import { exportOperations } from '#domain/api/exports.ts';
import type { Page } from '#domain/api/primitives.ts';
import { Problem } from '#domain/api/problem.ts';
import type { CsvColumns } from '#domain/csv.ts';
import { allPages, mapPage } from '#domain/cursor.ts';
import { campaignColumns, contactColumns, ruleColumns, tagColumns } from '#domain/lists/columns.ts';
import { findAudience } from '#db/outreach/audiences/audiences.ts';
import { listAudienceContacts } from '#commands/outreach/audiences/list-audience-contacts.ts';
import { audienceSource } from '#commands/outreach/audiences/source.ts';
import { type AuditRecord, listAuditLog } from '#db/outreach/audit/list.ts';
import { listCampaigns } from '#db/outreach/campaigns/campaigns.ts';
import { listPlainClicks } from '#db/outreach/clicks/list.ts';
import { buttonLabels } from '#domain/campaigns/variants/variants.ts';
import { listContacts } from '#db/outreach/contacts/contacts.ts';
import { listRules } from '#db/outreach/rules/lists.ts';
import { listContactOutcomes } from '#db/outreach/outcomes/list.ts';
import { listRecipients } from '#db/outreach/sends/snapshots.ts';
import { listPlainAssignments } from '#db/outreach/tags/assignments.ts';
import { findTag, listTags } from '#db/outreach/tags/tags.ts';
import { sendCsv } from '#api/http/csv.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { campaignLoader } from '../campaigns/campaign.ts';
import { presentListed } from '../campaigns/present.ts';
import { presentContact } from '../contacts/present.ts';
import { presentRule } from '../rules/present.ts';
import { presentTag } from '../tags/present.ts';

/** Rows of one statement, each of at most a few ids. */
const PAGE = 1000;
/** Entries of the audit log can be long. */
const AUDIT_PAGE = 100;

function detailOf({ auditId, before, after, complete }: AuditRecord): string {
  return JSON.stringify({
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
    ...(complete ? {} : { auditId }),
  });
}

function campaignExports(serve: ServeActor, deps: BackendDeps): void {
  const { database } = deps;
  const load = campaignLoader(deps);

  serve(exportOperations.exportRecipients, {
    load,
    handle: ({ ctx, actor: { tenantId }, loaded: { id } }) =>
      sendCsv(ctx, {
        name: `recipients-${id}`,
        pages: allPages((cursor) => listRecipients(database, { tenantId, campaignId: id }, { limit: PAGE, cursor })),
        columns: {
          contactId: ({ contactId }) => contactId,
          subTaskKey: ({ subTaskKey }) => subTaskKey,
          status: ({ status }) => status,
          clickedAt: ({ clickedAt }) => clickedAt?.toISOString() ?? null,
        },
      }),
  });

  serve(exportOperations.exportCampaignContacts, {
    load,
    handle: ({ ctx, actor: { tenantId }, loaded: { id, ...content }, query: filter }) => {
      const labelOf = buttonLabels(content);
      const read = (cursor: string | undefined) =>
        listContactOutcomes(database, { tenantId, campaignId: id }, { ...filter, limit: PAGE, cursor });
      return sendCsv(ctx, {
        name: `contacts-${id}`,
        pages: allPages(read),
        columns: {
          contactId: ({ contactId }) => contactId,
          subTaskKey: ({ subTask }) => subTask?.key ?? null,
          status: ({ subTask }) => subTask?.status ?? null,
          received: ({ subTask }) => subTask?.delivered ?? false,
          firstClickedAt: ({ clicks: [first] }) => first?.clickedAt ?? null,
          buttons: ({ clicks }) => [...new Set(clicks.map(labelOf))].join('; '),
          conversationAt: ({ conversation }) => conversation?.openedAt ?? null,
          tags: ({ tags }) => tags.map(({ name }) => name).join('; '),
        },
      });
    },
  });
}

function clickExports(serve: ServeActor, deps: BackendDeps): void {
  const { database } = deps;
  const load = campaignLoader(deps);

  serve(exportOperations.exportClicks, {
    load,
    handle: ({ ctx, actor: { tenantId }, loaded: { id, ...content }, query: filter }) => {
      return sendCsv(ctx, {
        name: `clicks-${id}`,
        pages: allPages((cursor) => listPlainClicks(database, tenantId, id, { ...filter, limit: PAGE, cursor })),
        columns: {
          contactId: ({ contactId }) => contactId,
          clickedAt: ({ clickedAt }) => clickedAt.toISOString(),
          messageIndex: ({ messageIndex }) => messageIndex,
          actionIndex: ({ actionIndex }) => actionIndex,
          label: buttonLabels(content),
          bizEventCode: ({ bizEventCode }) => bizEventCode,
          repeats: ({ repeats }) => repeats,
        },
      });
    },
  });
}

function contactExports(serve: ServeActor, { database, now }: BackendDeps): void {
  serve(exportOperations.exportAssignments, {
    load: async ({ actor, params }) => {
      if (await findTag(database, actor.tenantId, params.tagId)) return;
      throw new Problem('not_found', 'There is no tag with this id');
    },
    handle: ({ ctx, actor: { tenantId }, params: { tagId } }) =>
      sendCsv(ctx, {
        name: `assignments-${tagId}`,
        pages: allPages((cursor) => listPlainAssignments(database, tenantId, tagId, { limit: PAGE, cursor })),
        columns: {
          contactId: ({ contactId }) => contactId,
          assignedAt: ({ assignedAt }) => assignedAt.toISOString(),
          ruleId: ({ ruleId }) => ruleId,
          campaignId: ({ campaignId }) => campaignId,
          assignedBy: ({ assignedBy }) => assignedBy,
        },
      }),
  });

  serve(exportOperations.exportAudienceContacts, {
    load: async ({ actor, params }) => {
      const audience = await findAudience(database, actor.tenantId, params.audienceId);
      if (!audience) throw new Problem('not_found', 'There is no audience with this id');
      return audience;
    },
    handle: async ({ ctx, actor: { tenantId }, loaded: { audienceId, serviceNumberId } }) => {
      const scope = { tenantId, serviceNumberId, path: '' };
      const source = await audienceSource(database, scope, { type: 'contacts', audienceId });
      const at = now();
      return await sendCsv(ctx, {
        name: `contacts-${audienceId}`,
        pages: allPages((cursor) => listAudienceContacts(database, scope, source, { now: at, limit: PAGE, cursor })),
        columns: { contactId: ({ contactId }) => contactId, reachable: ({ reach }) => reach === 'reachable' },
      });
    },
  });
}

/** Responds with every row of a list, read page by page. */
const sendList = <Row, Shown>(
  ctx: Context,
  file: { name: string; columns: CsvColumns<Shown> },
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Row>>,
  present: (row: Row) => Shown,
): ReturnType<typeof sendCsv> =>
  sendCsv(ctx, { ...file, pages: allPages(async (cursor) => mapPage(await read({ limit: PAGE, cursor }), present)) });

/** The console's lists, filtered as shown. */
function listExports(serve: ServeActor, { database, now }: BackendDeps): void {
  serve(exportOperations.exportCampaigns, {
    handle: ({ ctx, actor: { tenantId }, query }) => {
      const file = { name: 'campaigns', columns: campaignColumns };
      return sendList(ctx, file, (page) => listCampaigns(database, tenantId, { ...query, ...page }), presentListed);
    },
  });

  serve(exportOperations.exportContacts, {
    handle: ({ ctx, actor: { tenantId }, query }) => {
      const file = { name: 'contacts', columns: contactColumns };
      return sendList(ctx, file, (page) => listContacts(database, tenantId, { ...query, ...page }), presentContact);
    },
  });

  serve(exportOperations.exportTags, {
    handle: ({ ctx, actor: { tenantId }, query }) => {
      const at = now();
      const read = (page: { limit: number; cursor: string | undefined }) =>
        listTags(database, tenantId, { ...query, ...page }, at);
      return sendList(ctx, { name: 'tags', columns: tagColumns }, read, (tag) => presentTag(tag, at));
    },
  });

  serve(exportOperations.exportRules, {
    handle: ({ ctx, actor: { tenantId }, query }) => {
      const file = { name: 'rules', columns: ruleColumns };
      return sendList(ctx, file, (page) => listRules(database, tenantId, { ...query, ...page }), presentRule);
    },
  });
}

/** Whole lists as files. */
export function exportRoutes(serve: ServeActor, deps: BackendDeps): void {
  listExports(serve, deps);
  campaignExports(serve, deps);
  clickExports(serve, deps);
  contactExports(serve, deps);

  serve(exportOperations.exportAuditLog, {
    handle: ({ ctx, actor, query }) =>
      sendCsv(ctx, {
        name: 'audit-log',
        pages: allPages((cursor) =>
          listAuditLog(deps.database, actor.tenantId, { ...query, limit: AUDIT_PAGE, cursor }),
        ),
        columns: {
          at: ({ writtenAt }) => writtenAt.toISOString(),
          actor: ({ actor: who }) => who,
          action: ({ action }) => action,
          subject: ({ objectType, objectId }) => `${objectType}:${objectId}`,
          detail: detailOf,
        },
      }),
  });
}
