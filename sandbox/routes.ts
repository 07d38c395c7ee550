import type { SecretName, Settings } from '../domain/settings/settings.ts';
import { fileRoutes } from './files/routes.ts';
import type { Route } from './http/route.ts';
import { identityControlRoutes } from './identity/routes.ts';
import type { MintToken } from './identity/tokens.ts';
import { merchantRoutes } from './merchant/routes.ts';
import { adminPages } from './pages/admin.ts';
import { assetRoutes } from './pages/assets.ts';
import { hostPages } from './pages/host.ts';
import { merchantPages } from './pages/merchant.ts';
import { overviewPages } from './pages/overview.ts';
import { phonePages } from './pages/phone.ts';
import { paymentControlRoutes } from './payment-gateway/control-routes.ts';
import { gatewayRoutes } from './payment-gateway/gateway.ts';
import { paymentPages } from './payment-gateway/pages.ts';
import { shopPages } from './shop/page.ts';
import { adminRoutes } from './platform/control/admin-routes.ts';
import { broadcastRoutes } from './platform/broadcasts/broadcasts.ts';
import { clickRoutes } from './platform/clicks/routes.ts';
import { contactRoutes } from './platform/contacts/routes.ts';
import { controlRoutes } from './platform/control/routes.ts';
import { embedRoutes } from './platform/integration/embed.ts';
import { entrySourceRoutes } from './platform/entry-sources.ts';
import { labelRoutes } from './platform/contacts/labels.ts';
import type { State } from './state.ts';

/** Every route of the sandbox except those of the OpenID provider, plus the ones common to every service. */
export function composeRoutes(state: State, settings: Settings<SecretName>, mint: MintToken): Route[] {
  const applicationUrl = settings.PUBLIC_BFF_URL;
  const defaultAppId = settings.PLATFORM_APP_ID;
  return [
    // the platform, as the application sees it
    ...broadcastRoutes(state),
    ...labelRoutes(state),
    ...entrySourceRoutes(state),
    ...embedRoutes(state),
    // the platform, as customers and administrators see it
    ...clickRoutes(state),
    ...adminRoutes({ ...state, defaultAppId, appSecret: settings.PLATFORM_APP_SECRET[0] }),
    // the payment gateway
    ...gatewayRoutes({ ...state, apiKey: settings.PAYMENT_GATEWAY_KEY, baseUrl: settings.PAYMENT_GATEWAY_BASE_URL }),
    ...paymentPages(state),
    // a merchant, as the order service sees it
    ...merchantRoutes(state),
    // a file service, as FILES_URL names one
    ...fileRoutes(state),
    // control of the sandbox
    ...contactRoutes(state),
    ...controlRoutes(state),
    ...identityControlRoutes({ ...state, mint }),
    ...paymentControlRoutes(state),
    // pages
    ...assetRoutes(),
    ...overviewPages({ ...state, applicationUrl }),
    ...phonePages(state),
    ...adminPages({ ...state, defaultAppId, defaultInstallBaseUrl: applicationUrl }),
    ...merchantPages(state),
    ...shopPages({ ...state, mint, applicationUrl, ordersUrl: settings.PUBLIC_ORDERS_URL }),
    ...hostPages({ ...state, mint, applicationUrl }),
  ];
}
