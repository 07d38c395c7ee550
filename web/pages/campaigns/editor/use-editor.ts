import { inject, provide, type InjectionKey, type Ref } from 'vue';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import type { Draft, PlacedIssue } from './draft/draft.ts';

/** What the editor's steps share. */
export interface EditorContext {
  draft: Ref<Draft>;
  /** Of the campaign; null while it is not stored. What is no campaign has none. */
  campaignId?: Readonly<Ref<string | null>>;
  issues: Readonly<Ref<PlacedIssue[]>>;
  /** The variant that is shown, by its position; 0 if everybody gets the same. */
  variant: Ref<number>;
  /** What the ids of its tabs begin with: a page may have several editors. */
  tabs: string;
  serviceNumberId: Readonly<Ref<string | undefined>>;
  /** The issue at a place, once the place was visited or all issues are shown. */
  issueAt: (at: string) => PlacedIssue | undefined;
  touch: (at: string) => void;
  preview: Readonly<Ref<AudiencePreview | undefined>>;
  /** The counts belong to an earlier choice; new ones are being loaded. */
  isCounting: Readonly<Ref<boolean>>;
  previewError: Readonly<Ref<unknown>>;
}

const key: InjectionKey<EditorContext> = Symbol('editor');

/** The id of a tab, by its position. */
export const tabId = ({ tabs }: Pick<EditorContext, 'tabs'>, position: number): string => `${tabs}-tab-${position}`;

/** The id of what the chosen tab shows. */
export const panelId = ({ tabs }: Pick<EditorContext, 'tabs'>): string => `${tabs}-panel`;

/** Of several editors on a page, each needs `tabs` of its own. */
export const provideEditor = (context: Omit<EditorContext, 'tabs'> & Partial<Pick<EditorContext, 'tabs'>>) =>
  provide(key, { tabs: 'variant', ...context });

export function useEditor(): EditorContext {
  const context = inject(key);
  if (!context) throw new Error('used outside the editor');
  return context;
}
