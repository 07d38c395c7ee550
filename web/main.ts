import './frame/icons.ts';
import ui from '@nuxt/ui/vue-plugin';
import { VueQueryPlugin } from '@tanstack/vue-query';
import { promiseTimeout } from '@vueuse/core';
import { createApp } from 'vue';
import { watchConnection } from './api/http/connection.ts';
import { credentials, signInAddress } from './api/http/credentials.ts';
import { awaitSignIn, watchSession } from './api/http/session.ts';
import { requestFirst } from './api/queries/first-requests.ts';
import { createQueryClient } from './api/queries/query-client.ts';
import { hasUnsavedEdits } from './api/unsaved-edits.ts';
import { startPreferences } from './composables/use-preferences.ts';
import App from './frame/App.vue';
import { awaitComposition } from './frame/composition.ts';
import { i18n, startI18n } from './frame/i18n.ts';
import { createConsoleRouter } from './frame/routes/router.ts';
import './main.css';

/** What is drawn before the first responses is drawn again with them: a frame that waits for them is there sooner. */
const FIRST_RESPONSES_WITHIN_MS = 150;

const embedded = location.pathname.startsWith('/embed');

function signIn(): Promise<boolean> {
  if (hasUnsavedEdits()) awaitSignIn();
  else location.assign(signInAddress(location.pathname + location.search));
  return Promise.resolve(false);
}

async function start(): Promise<void> {
  const queryClient = createQueryClient();
  const waiting: Promise<void>[] = [];
  startPreferences({ keep: !embedded });
  watchConnection();
  awaitComposition();
  if (embedded) {
    const { startBridge } = await import('./embed/bridge.ts');
    startBridge();
  } else {
    credentials.renew = signIn;
    watchSession();
    if (!location.pathname.startsWith('/app/checkout/'))
      waiting.push(Promise.race([requestFirst(queryClient), promiseTimeout(FIRST_RESPONSES_WITHIN_MS)]));
  }
  await Promise.all([startI18n(), ...waiting]);
  createApp(App).use(createConsoleRouter()).use(i18n).use(VueQueryPlugin, { queryClient }).use(ui).mount('#app');
}

void start();
