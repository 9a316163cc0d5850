import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Attribute, Change, Client } from 'ldapts';

const run = promisify(execFile);

/** The password of every account that a test adds, unless it gives another. */
export const PASSWORD_THERE = 'Us3r-Passw0rd!';
const BASE_DN = 'DC=ad,DC=test';

interface NewPerson {
  password?: string;
  email?: string;
  /** Distinguished names of groups. */
  groups?: readonly string[];
}

/** Adds accounts to the directory of a test and changes them, as its administrators do. */
export interface DirectoryPeople {
  /** Passwords of eight characters of three kinds, none of the last three again; five wrong ones lock an account until it is unlocked. */
  setRules(): Promise<void>;
  /** Adds a usable account; gives its distinguished name. */
  addPerson(username: string, person?: NewPerson): Promise<string>;
  addGroup(name: string, members?: readonly string[]): Promise<string>;
  /** Sets attributes of an entry, each to one value or to none. */
  set(dn: string, attributes: Readonly<Record<string, string | null>>): Promise<void>;
  /** Sets the password of an account, which may sign in with it at once. */
  setPassword(dn: string, password: string): Promise<void>;
  remove(dn: string): Promise<void>;
  /** Whether an account signs in with a password, with the answer where it does not. */
  tryPassword(dn: string, password: string): Promise<string>;
  /** Makes a password sixty days older. */
  expirePassword(username: string): Promise<void>;
}

interface Administrator {
  url: string;
  certificate: string;
  user: string;
  password: string;
}

export function directoryPeople(at: Administrator, folder: string): DirectoryPeople {
  const open = () => new Client({ url: at.url, tlsOptions: { ca: at.certificate }, timeout: 20_000 });
  async function asAdministrator<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = open();
    try {
      await client.bind(at.user, at.password);
      return await work(client);
    } finally {
      await client.unbind();
    }
  }
  const set: DirectoryPeople['set'] = (dn, attributes) =>
    asAdministrator((client) => client.modify(dn, Object.entries(attributes).map(replacing)));
  return {
    set,
    setRules: () =>
      set(BASE_DN, {
        minPwdAge: '0',
        minPwdLength: '8',
        pwdHistoryLength: '3',
        lockoutThreshold: '5',
        lockOutObservationWindow: minutes(30),
        lockoutDuration: minutes(600),
      }),
    addPerson: (username, { password = PASSWORD_THERE, email, groups = [] } = {}) =>
      asAdministrator(async (client) => {
        const dn = `CN=${username} of the test,CN=Users,${BASE_DN}`;
        await client.add(dn, [
          ...texts({
            objectClass: 'user',
            sAMAccountName: username,
            displayName: `Name of ${username}`,
            userAccountControl: '512',
          }),
          ...(email === undefined ? [] : texts({ mail: email })),
          passwordOf(password),
        ]);
        for (const group of groups) await client.modify(group, adding('member', dn));
        return dn;
      }),
    addGroup: (name, members = []) =>
      asAdministrator(async (client) => {
        const dn = `CN=${name},CN=Users,${BASE_DN}`;
        await client.add(dn, texts({ objectClass: 'group', sAMAccountName: name }));
        for (const member of members) await client.modify(dn, adding('member', member));
        return dn;
      }),
    setPassword: (dn, password) =>
      asAdministrator((client) =>
        client.modify(dn, new Change({ operation: 'replace', modification: passwordOf(password) })),
      ),
    remove: (dn) => asAdministrator((client) => client.del(dn)),
    async tryPassword(dn, password) {
      const client = open();
      try {
        await client.bind(dn, password);
        return 'ok';
      } catch (error) {
        return /\bdata (\w+)/.exec(String(error))?.[1] ?? String(error);
      } finally {
        await client.unbind();
      }
    },
    async expirePassword(username) {
      await run('/usr/bin/python3', [
        '-c',
        EXPIRE,
        join(folder, 'smb.conf'),
        join(folder, 'private/sam.ldb'),
        username,
      ]);
    },
  };
}

/** Over LDAP pwdLastSet can only become "now" and "never": an older time takes the database itself, and a control that it alone knows. */
const EXPIRE = `
import sys, time, ldb
from samba.auth import system_session
from samba.param import LoadParm
from samba.samdb import SamDB
settings = LoadParm(); settings.load(sys.argv[1])
people = SamDB(url=sys.argv[2], session_info=system_session(), lp=settings)
found = people.search(people.domain_dn(), expression="(sAMAccountName=%s)" % sys.argv[3], attrs=[])[0]
old = ldb.Message(found.dn)
old["pwdLastSet"] = ldb.MessageElement(str(int((time.time() - 60 * 86400 + 11644473600) * 10**7)), ldb.FLAG_MOD_REPLACE, "pwdLastSet")
people.modify(old, ["local_oid:1.3.6.1.4.1.7165.4.3.20:0"])
`;

function texts(values: Readonly<Record<string, string>>): Attribute[] {
  return Object.entries(values).map(([type, value]) => new Attribute({ type, values: [value] }));
}

function passwordOf(password: string): Attribute {
  return new Attribute({ type: 'unicodePwd', values: [Buffer.from(`"${password}"`, 'utf16le')] });
}

function replacing([type, value]: [string, string | null]): Change {
  return new Change({
    operation: 'replace',
    modification: new Attribute({ type, values: value === null ? [] : [value] }),
  });
}

function adding(type: string, value: string): Change {
  return new Change({ operation: 'add', modification: new Attribute({ type, values: [value] }) });
}

/** A span of time as the directory has it: in ticks of 100 ns, below zero. */
function minutes(count: number): string {
  return String(-count * 60 * 10_000_000);
}
