import { interactionPolicy, Provider } from 'oidc-provider';
import type { ClientMetadata, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../pages/html.ts';
import { page } from '../pages/layout.ts';
import type { IdentityKeys } from './keys.ts';
import type { People } from './people.ts';
import { createSignInStore } from './store.ts';

export interface ProviderDeps {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Base of the application's own pages; a sign-out may redirect to them. */
  applicationUrl: string;
  /** The path where the identity service is mounted, such as `/identity`. */
  mountPath: string;
  keys: IdentityKeys;
  people: People;
}

const HOUR = 3600;

/** Development asks who you are at every sign-in, so that switching to another person takes one click. */
function alwaysChoose(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const check = new interactionPolicy.Check('choose_person', 'a person must be chosen', (ctx) =>
    ctx.oidc.result?.login ? interactionPolicy.Check.NO_NEED_TO_PROMPT : interactionPolicy.Check.REQUEST_PROMPT,
  );
  policy.get('login')?.checks.add(check);
  return policy;
}

/** Grants without asking for consent: the application is the platform's own. */
async function grantAll(ctx: KoaContextWithOIDC) {
  const { client, session, params, provider } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(typeof params?.scope === 'string' ? params.scope : 'openid');
  await grant.save();
  return grant;
}

function configuration(deps: ProviderDeps): Configuration {
  const { clientId, clientSecret, applicationUrl, keys, people } = deps;
  const client = (): ClientMetadata => ({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: people.redirectUris(),
    backchannel_logout_uri: `${applicationUrl}/api/v1/auth/backchannel-logout`,
    backchannel_logout_session_required: true,
    post_logout_redirect_uris: [
      applicationUrl,
      `${applicationUrl}/`,
      `${applicationUrl}/app`,
      `${applicationUrl}/app/`,
    ],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
  return {
    adapter: createSignInStore((id) => (id === clientId ? client() : undefined)),
    jwks: { keys: [keys.jwk] },
    cookies: { keys: [keys.cookieSecret] },
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access'],
    // Consent is never asked for here; the scope offline_access would otherwise require it.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    claims: { openid: ['sub', 'name', 'tenantId', 'roles'], profile: ['name'], email: [] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      IdToken: HOUR,
      RefreshToken: 12 * HOUR,
      Interaction: HOUR,
      Session: 12 * HOUR,
      Grant: 12 * HOUR,
    },
    interactions: { policy: alwaysChoose(), url: (_ctx, { uid }) => `${deps.mountPath}/sign-in/${uid}` },
    loadExistingGrant: grantAll,
    findAccount: async (_ctx, sub) => {
      const person = people.find(sub);
      return person && { accountId: sub, claims: async () => ({ ...person }) };
    },
    features,
    fetch: fetchFromHere,
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html';
      const body = html`<main class="card narrow">
        <h1>Sign-in failed</h1>
        <p>${error}: ${description ?? ''}</p>
      </main>`;
      ctx.body = page({ title: 'Sign-in failed', body, bare: true });
    },
  };
}

/** The provider would call no address of this machine, where the application is. */
const fetchFromHere: NonNullable<Configuration['fetch']> = (url, options) => {
  const own: RequestInit & { dispatcher?: unknown } = { ...options };
  delete own.dispatcher;
  return fetch(url, own);
};

const signOut: NonNullable<Configuration['features']>['rpInitiatedLogout'] = {
  enabled: true,
  logoutSource: (ctx, form) => {
    const body = html`<main class="card narrow">
      <h1>Sign out?</h1>
      ${{ markup: form }}
      <button class="primary" form="op.logoutForm" name="logout" value="yes">Sign out</button>
    </main>`;
    // The application has asked already.
    const scripts = ctx.oidc.entities.IdTokenHint ? ['sign-out.js'] : [];
    ctx.body = page({ title: 'Sign out', body, bare: true, scripts });
  },
  postLogoutSuccessSource: (ctx) => {
    const body = html`<main class="card narrow"><h1>Signed out</h1></main>`;
    ctx.body = page({ title: 'Signed out', body, bare: true });
  },
};

const features: NonNullable<Configuration['features']> = {
  devInteractions: { enabled: false },
  rpInitiatedLogout: signOut,
  backchannelLogout: { enabled: true },
  revocation: { enabled: true, allowedPolicy: async (_ctx, caller, token) => token.clientId === caller.clientId },
};

/**
 * The OpenID provider for the development people: authorization code with PKCE, ID tokens that carry tenant and
 * roles.
 */
export function createProvider(deps: ProviderDeps): Provider {
  return new Provider(deps.issuer, configuration(deps));
}
