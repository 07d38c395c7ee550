/** What edits a test of variants, requested together. */
export { default as VariantFields } from './VariantFields.vue';
export { default as VariantTabs } from './VariantTabs.vue';
export { default as WinnerFields } from './WinnerFields.vue';
