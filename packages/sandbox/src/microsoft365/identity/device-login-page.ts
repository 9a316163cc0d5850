import type { Tenant } from '../tenant.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { WireRequest } from '../wire/http.ts';
import { accountOptions, escaped, loginPage } from './login-page.ts';

export interface DeviceLoginParts {
  tenants: ReadonlyMap<string, Tenant>;
  /** Signs in as a user (id), or declines; `false` for a code that does not wait for a sign-in. */
  settle: (userCode: string, userId: string | undefined) => boolean;
}

/**
 * The page where a person enters a device code, as the vendor has one at https://microsoft.com/devicelogin. `undefined` for another path.
 */
export function answerDeviceLogin({ tenants, settle }: DeviceLoginParts, request: WireRequest): GraphReply | undefined {
  const { pathname, searchParams } = new URL(request.fullUrl, request.origin);
  if (pathname !== '/devicelogin') return undefined;
  if (request.method === 'GET') return page(200, form(tenants, searchParams.get('code') ?? '', ''));
  if (request.method !== 'POST') return undefined;
  const given = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString() : '');
  const userCode = (given.get('code') ?? '').replaceAll(/[\s-]/g, '').toUpperCase();
  const isDeclined = given.get('answer') === 'decline';
  if (!settle(userCode, isDeclined ? undefined : (given.get('account') ?? '')))
    return page(
      400,
      form(
        tenants,
        userCode,
        'That code is not known, was used already or has expired. Check it, or ask for a new one.',
      ),
    );
  return page(
    200,
    isDeclined
      ? '<h1>Declined</h1><p>Nothing was allowed. You may close this page.</p>'
      : '<h1>You are signed in</h1><p>You may close this page and go back to the program that showed the code.</p>',
  );
}

const page = (status: number, content: string) => loginPage(status, 'Sign in to a device', content);

function form(tenants: DeviceLoginParts['tenants'], code: string, problem: string): string {
  return `<h1>Enter code</h1>
<p>Sandbox of Microsoft 365: no real account is asked for.</p>
${problem === '' ? '' : `<p role="alert"><strong>${escaped(problem)}</strong></p>`}
<form method="post" action="/devicelogin">
<label>Code shown by the program <input name="code" value="${escaped(code)}" required autofocus autocomplete="off"></label>
<label>Account <select name="account">${accountOptions(tenants.values())}</select></label>
<button name="answer" value="sign-in">Sign in</button> <button name="answer" value="decline" formnovalidate>Decline</button>
</form>`;
}
