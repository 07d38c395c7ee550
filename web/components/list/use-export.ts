import { ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { addressOf } from '#web/api/http/client.ts';
import { credentials } from '#web/api/http/credentials.ts';
import { operations } from '#web/api/http/operations.ts';
import { open } from '#web/api/index.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';
import { saveFile, saveFrom } from './save-file.ts';

export interface Export {
  operation:
    | 'exportCampaigns'
    | 'exportContacts'
    | 'exportTags'
    | 'exportRules'
    | 'exportOrders'
    | 'exportRecipients'
    | 'exportClicks'
    | 'exportCampaignContacts'
    | 'exportAssignments'
    | 'exportAutomationEntries'
    | 'exportAudienceContacts'
    | 'exportAuditLog'
    | 'exportContact';
  params?: Record<string, string> | undefined;
  query?: Record<string, string | number | undefined> | undefined;
}

/** Saves what a list, or a person's data, holds as a file. */
export function useExport() {
  const { t } = useI18n();
  const report = useProblemToast();
  const busy = ref(false);

  /** With a cookie, the browser streams to the disk; a token has to be sent by us. */
  async function save({ operation, params, query }: Export): Promise<void> {
    const input = { params, query };
    if (operation === 'exportOrders') {
      const { orderRoutes } = await import('#web/api/http/order-operations.ts');
      saveFrom(addressOf(orderRoutes.exportOrders, input));
      return;
    }
    if (credentials.token === null) {
      saveFrom(addressOf(operations[operation], input));
      return;
    }
    busy.value = true;
    try {
      const response = await open(operation, input as never);
      const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      saveFile(name ?? 'export.csv', await response.blob());
    } catch (error) {
      report(t('common.notExported'), error);
    } finally {
      busy.value = false;
    }
  }

  return { busy, save };
}
