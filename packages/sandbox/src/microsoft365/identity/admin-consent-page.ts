import type { Application } from '../applications/application.ts';
import { type AskedRole, askedRoles, grantAskedRoles } from '../applications/asked-roles.ts';
import type { Tenant } from '../tenant.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { WireRequest } from '../wire/http.ts';
import { objectOf } from '../wire/json.ts';
import { accountOptions, administratorOf, escaped, loginPage } from './login-page.ts';
import { OAuthError } from './oauth-error.ts';

/** Names that mean the tenant of the administrator who signs in. */
const ANY_TENANT = ['common', 'organizations'];

/** Who asks for what, and where the answer goes. */
interface Asked {
  tenant: Tenant;
  application: Application;
  /** `null`: the registration of the application has no address. */
  redirectUri: string | null;
  state: string | null;
}

/**
 * The page on which an administrator lets an application have what its registration asks for, and which then leads back to the application:
 * https://learn.microsoft.com/entra/identity-platform/v2-admin-consent. What is wrong with the request itself is said on the page: a browser is
 * sent to no address that is not registered. `undefined` for another path.
 */
export function answerAdminConsent(tenants: ReadonlyMap<string, Tenant>, request: WireRequest): GraphReply | undefined {
  const { pathname, searchParams } = new URL(request.fullUrl, request.origin);
  const [, name] = /^\/([^/]+)(?:\/v2\.0)?\/adminconsent$/i.exec(pathname) ?? [];
  if (name === undefined || !['GET', 'POST'].includes(request.method)) return undefined;
  try {
    const asked = readAsked([...tenants.values()], decodeURIComponent(name).toLowerCase(), searchParams);
    if (request.method === 'GET') return page(200, form(asked, request.fullUrl, ''), asked);
    const given = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
    return decided(asked, request, given);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return page(
      error.status,
      `<h1>Sorry, but we’re having trouble signing you in.</h1><p role="alert">${escaped(error.message)}</p>`,
    );
  }
}

const page = (status: number, content: string, asked?: Asked) => {
  const origin = asked?.redirectUri === null || asked === undefined ? null : new URL(asked.redirectUri).origin;
  return loginPage(status, 'Permissions requested', content, origin === null ? [] : [origin]);
};

/** @throws OAuthError for an unknown tenant or application, and for an address that is not registered */
function readAsked(tenants: readonly Tenant[], name: string, query: URLSearchParams): Asked {
  const clientId = query.get('client_id') ?? '';
  if (clientId === '') throw refused(900144, "The request body must contain the following parameter: 'client_id'.");
  const named = tenants.filter(({ id, domain }) => ANY_TENANT.includes(name) || id === name || domain === name);
  if (named.length === 0)
    throw refused(90002, `Tenant '${name}' not found. Check to make sure you have the correct tenant ID.`);
  for (const tenant of named) {
    const application = tenant.applications.findByAppId(clientId);
    if (application === undefined) continue;
    const registered = redirectUris(application);
    const wished = query.get('redirect_uri');
    if (wished !== null && !registered.includes(wished))
      throw refused(
        50011,
        `The redirect URI '${wished}' specified in the request does not match the redirect URIs configured for the application '${clientId}'.`,
      );
    return { tenant, application, redirectUri: wished ?? registered[0] ?? null, state: query.get('state') };
  }
  const directory = named.length === 1 ? named[0]?.displayName : name;
  throw refused(700016, `Application with identifier '${clientId}' was not found in the directory '${directory}'.`);
}

const refused = (code: number, message: string) => new OAuthError('invalid_request', code, message);

function redirectUris({ properties }: Application): string[] {
  return ['web', 'spa', 'publicClient'].flatMap((platform) => {
    const { redirectUris: uris } = objectOf(properties[platform]);
    return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
  });
}

function decided(asked: Asked, { fullUrl }: WireRequest, given: URLSearchParams): GraphReply {
  const { tenant, application } = asked;
  if (given.get('answer') === 'cancel')
    return back(
      asked,
      { error: 'access_denied', error_description: 'AADSTS65004: User declined to consent to access the app.' },
      '<h1>Cancelled</h1><p>Nothing was granted. You may close this page.</p>',
    );
  const account = given.get('account') ?? '';
  if (tenant.directory.findUser(account) === undefined)
    return page(400, form(asked, fullUrl, 'AADSTS50020: This account does not exist in the tenant.'), asked);
  if (account !== administratorOf(tenant))
    return page(
      403,
      form(
        asked,
        fullUrl,
        'AADSTS90094: Need admin approval. This application needs permissions that only an administrator can grant.',
      ),
      asked,
    );
  grantAskedRoles(tenant, application);
  return back(
    asked,
    { admin_consent: 'True', tenant: tenant.id },
    '<h1>Permissions were granted</h1><p>You may close this page and go back to the program that sent you here.</p>',
  );
}

/** Leads back to the application; one whose registration has no address stays on a page that says so, as at the vendor. */
function back(asked: Asked, answer: Readonly<Record<string, string>>, ended: string): GraphReply {
  if (asked.redirectUri === null)
    return page(200, `${ended}<p><small>AADSTS500113: No reply address is registered for the application.</small></p>`);
  const location = new URL(asked.redirectUri);
  for (const [name, value] of Object.entries(answer)) location.searchParams.set(name, value);
  if (asked.state !== null) location.searchParams.set('state', asked.state);
  return { status: 302, headers: { location: location.href, 'cache-control': 'no-store' } };
}

function form({ tenant, application }: Asked, action: string, problem: string): string {
  const name = String(application.properties['displayName'] ?? application.appId);
  const roles = askedRoles(tenant, application);
  return `<h1>Permissions requested</h1>
<p><strong>${escaped(name)}</strong> asks for these permissions for all of ${escaped(tenant.displayName)}. Sandbox of Microsoft 365: no real account is asked for.</p>
${problem === '' ? '' : `<p role="alert"><strong>${escaped(problem)}</strong></p>`}
<ul>${roles.map(roleItem).join('') || '<li>None: its registration lists no permissions.</li>'}</ul>
<form method="post" action="${escaped(action)}">
<label>Account <select name="account">${accountOptions([tenant])}</select></label>
<button name="answer" value="accept">Accept</button> <button name="answer" value="cancel">Cancel</button>
</form>`;
}

const roleItem = ({ name, resource, isGranted }: AskedRole) =>
  `<li>${escaped(name)} <small>${escaped(resource)}${isGranted ? ', granted already' : ''}</small></li>`;
