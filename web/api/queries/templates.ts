import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { ListedTemplate, TemplateContent, TemplateKind, TemplateVariable } from '#domain/api/templates.ts';
import { call } from '../index.ts';
import { listed } from './listed.ts';

export interface TemplateFilter {
  serviceNumberId?: string | undefined;
  kind?: TemplateKind | undefined;
  /** A part of the name. */
  q?: string | undefined;
  cursor?: string | undefined;
}

/** Templates, most recently changed first. */
export function useTemplates(filter: MaybeRefOrGetter<TemplateFilter>) {
  return useQuery({
    ...listed(() => ['templates', toValue(filter)]),
    queryFn: ({ signal }) => call('listTemplates', { query: { ...toValue(filter), limit: 100 }, signal }),
  });
}

/** A template with its newest version; nothing without an id. */
export function useTemplate(templateId: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    queryKey: computed(() => ['templates', 'one', toValue(templateId)]),
    queryFn: ({ signal }) => call('getTemplate', { params: { templateId: toValue(templateId) ?? '' }, signal }),
    enabled: () => toValue(templateId) !== undefined,
    // Whoever opens it again wants the newest version, not the one from before.
    gcTime: 0,
  });
}

/** The newest versions of a template. */
export function useTemplateVersions(templateId: string) {
  return useQuery({
    queryKey: ['templates', 'versions', templateId],
    queryFn: ({ signal }) => call('listTemplateVersions', { params: { templateId }, query: { limit: 50 }, signal }),
  });
}

type Read = Pick<ListedTemplate, 'templateId' | 'version' | 'etag'>;

export interface Kept {
  /** The template that gets another version; null for a new one. */
  next: Read | null;
  name: string;
  kind: TemplateKind;
  content: TemplateContent;
  variables: TemplateVariable[];
}

/** The changes of a template; without content, its version stays. */
export interface Changed {
  template: Read;
  name: string;
  written: Pick<Kept, 'content' | 'variables'> | null;
}

/** What operators do with templates. */
export function useTemplateChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['templates'] });
  return {
    keep: useMutation({
      mutationFn: ({ next, name, kind, content, variables }: Kept) =>
        next
          ? call('updateTemplate', {
              params: { templateId: next.templateId },
              headers: { 'if-match': next.etag },
              body: { content, variables, basedOn: next.version },
            })
          : call('createTemplate', { body: { name, kind, content, variables } }),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ template: { templateId, version, etag }, name, written }: Changed) =>
        call('updateTemplate', {
          params: { templateId },
          headers: { 'if-match': etag },
          body: { name, ...written, basedOn: version },
        }),
      onSuccess,
    }),
    restore: useMutation({
      mutationFn: ({ templateId, version, basedOn }: { templateId: string; version: number; basedOn: number }) =>
        call('restoreTemplate', { params: { templateId }, body: { version, basedOn } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: ({ templateId, etag }: Omit<Read, 'version'>) =>
        call('deleteTemplate', { params: { templateId }, headers: { 'if-match': etag } }),
      onSuccess,
    }),
  };
}
