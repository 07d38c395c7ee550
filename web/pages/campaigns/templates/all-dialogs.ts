/** All dialogs of templates and snippets, as one script. */
export { default as ChooseTemplateDialog } from './ChooseTemplateDialog.vue';
export { default as InsertSnippetDialog } from '../editor/message/InsertSnippetDialog.vue';
export { default as SaveTemplateDialog } from './SaveTemplateDialog.vue';
export { default as UseTemplateDialog } from './UseTemplateDialog.vue';
