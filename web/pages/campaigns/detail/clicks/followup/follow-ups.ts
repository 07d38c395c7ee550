import { defineAsyncComponent } from 'vue';

/** Follow-up actions for contacts who clicked, and for the others: a dialog each. */
export const followUpDialogs = {
  save: defineAsyncComponent(() => import('./SaveClickersDialog.vue')),
  tag: defineAsyncComponent(() => import('./TagClickersDialog.vue')),
  followUp: defineAsyncComponent(() => import('./FollowUpDialog.vue')),
};
export type FollowUp = keyof typeof followUpDialogs;

export const followUpIcons: Record<FollowUp, string> = {
  save: 'i-lucide-list-plus',
  tag: 'i-lucide-tag',
  followUp: 'i-lucide-megaphone',
};

/** Saved lists have no page in the embedded console. */
export const followUpNames = (embedded: boolean): FollowUp[] =>
  (['save', 'tag', 'followUp'] as const).filter((name) => !(embedded && name === 'save'));
