import { userIdOf } from '../directory/build-directory.ts';
import type { Tenant } from '../tenant.ts';
import type { GraphReply } from '../wire/graph-call.ts';

/** What the pages have in common on which a person signs in. Here an account is chosen, and no password asked for. */

/** Accounts of each tenant to choose from: its administrator, who has no mailbox, and people. */
const ACCOUNTS = 6;

/** The one user of a tenant who has a role of its directory. */
export const administratorOf = ({ seed }: Tenant): string => userIdOf(seed, 0);

export function accountOptions(tenants: Iterable<Tenant>): string {
  return [...tenants]
    .map((tenant) => {
      const { displayName, directory } = tenant;
      const administrator = administratorOf(tenant);
      const options = directory.users
        .filter(
          ({ id, accountEnabled, userType, mailbox }) =>
            accountEnabled && userType === 'Member' && (id === administrator || mailbox?.purpose === 'user'),
        )
        .slice(0, ACCOUNTS)
        .map(
          ({ id, userPrincipalName }) =>
            `<option value="${id}">${escaped(userPrincipalName)}${id === administrator ? ' (administrator)' : ''}</option>`,
        );
      return `<optgroup label="${escaped(displayName)}">${options.join('')}</optgroup>`;
    })
    .join('');
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}label{display:block;margin:1rem 0}input,select{display:block;width:100%;font:inherit;padding:.4rem;box-sizing:border-box}input{letter-spacing:.2em}button{font:inherit;padding:.4rem 1rem}li small{color:#666}';

/** @param leadsTo origins that a form of the page may lead to, besides its own */
export function loginPage(status: number, title: string, content: string, leadsTo: readonly string[] = []): GraphReply {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><main>${content}</main></body></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${["'self'", ...leadsTo].join(' ')}`,
  };
  return { status, headers, body: Buffer.from(html) };
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
