import { readFile, stat } from 'node:fs/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.ts';

/** The operating-system account PostgreSQL runs under; `name` is for messages. */
export type Account = { uid: number; gid: number; name: string };

const PREFERRED_NAMES = ['postgres', 'nobody'];

/** Is this process root? Always false on Windows, which has no such account number. */
export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The account for PostgreSQL's own programs, which refuse to run as root. Undefined means: simply the account of this
 * process. As root it is the owner of the cluster that exists already, else `postgres` or `nobody` of /etc/passwd.
 */
export async function chooseAccount(clusterFolder: string | undefined): Promise<Account | undefined> {
  if (!runsAsRoot()) return undefined;
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const owner = clusterFolder === undefined ? undefined : await ownerOf(clusterFolder, accounts);
  const chosen = owner ?? preferredAccount(accounts);
  if (chosen) return chosen;
  throw new EmbeddedDatabaseError(
    'PostgreSQL refuses to run as root and this system has neither an account "postgres" nor "nobody". ' +
      'Start the program as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** The accounts in the text of /etc/passwd (passwd(5)); lines that are not accounts are passed over. */
export function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !uid || !gid || !/^\d+$/.test(uid) || !/^\d+$/.test(gid)) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

function preferredAccount(accounts: Account[]): Account | undefined {
  return PREFERRED_NAMES.map((name) => accounts.find((account) => account.name === name)).find(
    (account) => account !== undefined && account.uid !== 0,
  );
}

async function ownerOf(folder: string, accounts: Account[]): Promise<Account | undefined> {
  const { uid, gid } = await stat(folder);
  if (uid === 0) return undefined;
  return { uid, gid, name: accounts.find((account) => account.uid === uid)?.name ?? `uid ${uid}` };
}
