import { userIdOf } from '../directory/build-directory.ts';
import type { Tenant } from '../tenant.ts';
import type { GraphReply } from '../wire/graph-call.ts';
import type { WireRequest } from '../wire/http.ts';

export interface DeviceLoginParts {
  tenants: ReadonlyMap<string, Tenant>;
  /** Signs in as a user (id), or declines; `false` for a code that does not wait for a sign-in. */
  settle: (userCode: string, userId: string | undefined) => boolean;
}

/** Accounts of each tenant to choose from: its administrator, who has no mailbox, and people. */
const ACCOUNTS = 6;

/**
 * The page where a person enters a device code, as the vendor has one at https://microsoft.com/devicelogin. Here an account is
 * chosen, and no password asked for. `undefined` for another path.
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

function form(tenants: DeviceLoginParts['tenants'], code: string, problem: string): string {
  const accounts = [...tenants.values()].map(
    ({ displayName, directory, seed }) =>
      `<optgroup label="${escaped(displayName)}">${directory.users
        .filter(
          ({ id, accountEnabled, userType, mailbox }) =>
            accountEnabled && userType === 'Member' && (id === userIdOf(seed, 0) || mailbox?.purpose === 'user'),
        )
        .slice(0, ACCOUNTS)
        .map(
          ({ id, userPrincipalName }) =>
            `<option value="${id}">${escaped(userPrincipalName)}${id === userIdOf(seed, 0) ? ' (administrator)' : ''}</option>`,
        )
        .join('')}</optgroup>`,
  );
  return `<h1>Enter code</h1>
<p>Sandbox of Microsoft 365: no real account is asked for.</p>
${problem === '' ? '' : `<p role="alert"><strong>${escaped(problem)}</strong></p>`}
<form method="post" action="/devicelogin">
<label>Code shown by the program <input name="code" value="${escaped(code)}" required autofocus autocomplete="off"></label>
<label>Account <select name="account">${accounts.join('')}</select></label>
<button name="answer" value="sign-in">Sign in</button> <button name="answer" value="decline" formnovalidate>Decline</button>
</form>`;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}label{display:block;margin:1rem 0}input,select{display:block;width:100%;font:inherit;padding:.4rem;box-sizing:border-box}input{letter-spacing:.2em}button{font:inherit;padding:.4rem 1rem}';

function page(status: number, content: string): GraphReply {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in to a device</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
  };
  return { status, headers, body: Buffer.from(html) };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
