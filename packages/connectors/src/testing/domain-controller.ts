import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { generate } from 'selfsigned';
import { type DirectoryPeople, directoryPeople } from './directory-people.ts';

const run = promisify(execFile);

/** The programs of the Debian packages samba-ad-dc and samba-ad-provision, where the packages put them. */
const SAMBA = '/usr/sbin/samba';
const PROVISION_FILES = '/usr/share/samba/setup/ad-schema';
const READY_MS = 60_000;
const POLL_MS = 50;

export const ADMINISTRATOR = { user: 'administrator@ad.test', password: 'Adm1n-Passw0rd!' } as const;
export const BASE_DN = 'DC=ad,DC=test';

/** Why no domain controller can be started here; `null` if it can. Its ports are below 1024, so that it takes root. */
export function whyNoDomainController(): string | null {
  if (!existsSync(SAMBA) || !existsSync(PROVISION_FILES))
    return 'the packages samba-ad-dc and samba-ad-provision are not installed';
  return process.getuid?.() === 0 ? null : 'a domain controller has to be started as root';
}

/** A Samba Active Directory domain controller of a test: the domain ad.test, over LDAPS, on an address of this machine. */
export interface DomainController extends DirectoryPeople {
  /** `ldaps://127.42.7.9` */
  url: string;
  /** What its certificate is checked with (PEM). */
  certificate: string;
  stop(): Promise<void>;
}

/** Makes a domain and starts its controller, in about ten seconds. It ends with this process, whatever happens to that. */
export async function startDomainController(): Promise<DomainController> {
  // Its ports are fixed. On an address of its own, it meets no other controller of this machine.
  const [two, three] = randomBytes(2);
  const address = `127.42.${two}.${three}`;
  // Names of sockets below it are limited in length.
  const folder = await mkdtemp('/tmp/kw-ad-');
  try {
    const certificate = await writeCertificate(folder, address);
    await writeFile(join(folder, 'smb.conf'), configuration(folder, address));
    await provision(folder);
    const samba = await startSamba(folder, address, certificate);
    const people = directoryPeople({ url: `ldaps://${address}`, certificate, ...ADMINISTRATOR }, folder);
    await people.setRules();
    return { ...people, url: `ldaps://${address}`, certificate, stop: () => end(samba, folder) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function writeCertificate(folder: string, address: string): Promise<string> {
  const made = await generate([{ name: 'commonName', value: 'dc1.ad.test' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: address }] },
    ],
  });
  await mkdir(join(folder, 'tls'));
  await writeFile(join(folder, 'tls/key.pem'), made.private, { mode: 0o600 });
  await writeFile(join(folder, 'tls/cert.pem'), made.cert);
  return made.cert;
}

function configuration(folder: string, address: string): string {
  const settings = {
    'netbios name': 'DC1',
    workgroup: 'ADTEST',
    realm: 'AD.TEST',
    'server role': 'active directory domain controller',
    // No Kerberos, DNS or file service: they have ports of their own.
    'server services': 'ldap',
    interfaces: `${address}/8`,
    'bind interfaces only': 'yes',
    'tls certfile': `${folder}/tls/cert.pem`,
    'tls keyfile': `${folder}/tls/key.pem`,
    'tls cafile': `${folder}/tls/cert.pem`,
    // A changed password counts at once; a domain of its own lets the old one in for another hour.
    'old password allowed period': '0',
    ...Object.fromEntries(FOLDERS.map(([name, path]) => [name, `${folder}/${path}`])),
    'log level': '1',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  return [
    '[global]',
    ...lines,
    '[sysvol]',
    `path = ${folder}/state/sysvol`,
    '[netlogon]',
    `path = ${folder}/state/sysvol/ad.test/scripts`,
    '',
  ].join('\n');
}

const FOLDERS = [
  ['private dir', 'private'],
  ['state directory', 'state'],
  ['cache directory', 'cache'],
  ['lock directory', 'lock'],
  ['binddns dir', 'bind-dns'],
  ['pid directory', 'run'],
  ['ncalrpc dir', 'run/ncalrpc'],
  ['winbindd socket directory', 'run/winbindd'],
  ['ntp signd socket directory', 'run/ntp'],
] as const;

async function provision(folder: string): Promise<void> {
  await Promise.all(['run', 'state', 'cache', 'lock'].map((name) => mkdir(join(folder, name))));
  const domain = ['--realm=AD.TEST', '--domain=ADTEST', '--server-role=dc', '--function-level=2008_R2'];
  const host = [
    '--dns-backend=NONE',
    '--host-name=dc1',
    '--host-ip=127.0.0.1',
    `--adminpass=${ADMINISTRATOR.password}`,
  ];
  await run('samba-tool', ['domain', 'provision', '-s', join(folder, 'smb.conf'), ...domain, ...host]);
}

/** It reads from a pipe, and ends when that does: with the process of the test. */
async function startSamba(folder: string, address: string, certificate: string): Promise<ChildProcess> {
  const samba = spawn(SAMBA, ['-s', join(folder, 'smb.conf'), '--interactive', '--model=single'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  samba.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-2_000);
  });
  const until = Date.now() + READY_MS;
  while (!(await answers(address, certificate))) {
    if (samba.exitCode !== null || Date.now() > until) {
      samba.kill('SIGKILL');
      throw new Error(`The domain controller does not answer at ${address}:636.\n${said}`);
    }
    await setTimeout(POLL_MS);
  }
  return samba;
}

/** Whether a TLS connection comes about. */
async function answers(host: string, ca: string): Promise<boolean> {
  const socket = connect({ host, port: 636, ca });
  try {
    await once(socket, 'secureConnect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function end(samba: ChildProcess, folder: string): Promise<void> {
  if (samba.exitCode === null) {
    const ended = once(samba, 'exit');
    samba.kill('SIGTERM');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
