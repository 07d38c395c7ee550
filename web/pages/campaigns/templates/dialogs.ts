import { defineAsyncComponent } from 'vue';

/** Loaded together when the first of them opens. */
const dialogs = () => import('./all-dialogs.ts');

export const SaveTemplateDialog = defineAsyncComponent(async () => (await dialogs()).SaveTemplateDialog);
export const ChooseTemplateDialog = defineAsyncComponent(async () => (await dialogs()).ChooseTemplateDialog);
export const UseTemplateDialog = defineAsyncComponent(async () => (await dialogs()).UseTemplateDialog);
export const InsertSnippetDialog = defineAsyncComponent(async () => (await dialogs()).InsertSnippetDialog);
