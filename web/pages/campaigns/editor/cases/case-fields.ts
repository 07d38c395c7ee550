/** What edits messages by case, requested together. */
export { default as CaseField } from './CaseField.vue';
export { default as CaseFields } from './CaseFields.vue';
export { default as CaseTabs } from './CaseTabs.vue';
