import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import i18n from '@intlify/unplugin-vue-i18n/vite';
import ui from '@nuxt/ui/vite';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { precomputeOperations } from './api/http/precompute-operations.ts';
import { completeLocales } from './locales/complete-locales.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

const colors = ['primary', 'success', 'info', 'warning', 'error'];

/**
 * Under the pointer a colour gets stronger, where the library makes it more transparent and takes contrast from its text.
 * The ring of the focus stands off a button of its own colour.
 */
const buttons = colors.flatMap((color) => [
  {
    color,
    variant: 'solid',
    class: `hover:bg-(--ui-${color}-strong) active:bg-(--ui-${color}-strong) outline-offset-2`,
  },
  {
    color,
    variant: ['soft', 'subtle', 'link'],
    class: `hover:text-(--ui-${color}-strong) active:text-(--ui-${color}-strong)`,
  },
]);

/** On a row under the pointer, the library's text is 4.46 to 1. */
const badges = colors.map((color) => ({ color, variant: 'subtle', class: `text-(--ui-${color}-strong)` }));

export default defineConfig({
  root: here,
  base: '/',
  resolve: { alias: [{ find: /^@iconify\/vue$/, replacement: join(here, 'bundling/offline-icons.ts') }] },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  plugins: [
    precomputeOperations(),
    completeLocales(),
    // The build compiles the messages, so that the message compiler stays out of what a browser loads.
    i18n({ include: [join(here, 'locales/**/*.json')], fullInstall: false, dropMessageCompiler: true }),
    vue(),
    ui({
      autoImport: false,
      // Set WRITE_COMPONENT_TYPES when a library component is used for the first time, and format what it writes.
      components: { dts: process.env['WRITE_COMPONENT_TYPES'] ? join(here, 'components.d.ts') : false, dirs: [] },
      // composables/use-preferences.ts does it: the library's own way would keep the choice of embedded pages in the browser.
      colorMode: false,
      theme: { colors },
      ui: {
        colors: { primary: 'teal', neutral: 'slate', success: 'green', info: 'sky', warning: 'amber', error: 'red' },
        button: { compoundVariants: buttons },
        badge: { compoundVariants: badges },
        // Tall content takes no height from the title, which ends before the button that closes.
        modal: { slots: { header: 'shrink-0 items-start pe-14' } },
        switch: { slots: { base: 'outline-offset-2' } },
      },
      icon: { clientBundle: { scan: { globInclude: ['**/*.{vue,ts}'], globExclude: ['node_modules/**'] } } },
      experimental: { componentDetection: true },
    }),
  ],
});
