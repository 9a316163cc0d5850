import { isAbsolute, join, resolve } from 'node:path';
import { COUNTRY_HEADERS } from '@keepwatch/contract/wire/country-headers';
import * as z from 'zod';

/** Whole numbers and switches arrive as texts from the environment. */
const PORT = 'a port is a whole number from 0 to 65535';
const port = z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT);
const PROXIES = 'it is a whole number from 0 to 10';
const COUNTRY = `it is empty or one of ${COUNTRY_HEADERS.join(', ')}`;
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const address = z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default('');
const RUNS = 'it is empty or a whole number from 1 to 64';
const ROOT = 'it is empty or the whole path of a folder, such as /backups';
const METRICS_TOKEN = 'it is empty or has at least 20 characters';
const roles = z
  .string()
  .transform((text) => text.split(',').map((role) => role.trim()))
  .pipe(z.array(z.enum(['api', 'worker', 'sandbox'])).min(1));

const variables = z.object({
  /** `start` brings the demonstration provider and the sandbox; `serve` is the real thing. Set by the launcher. */
  KEEPWATCH_MODE: z.enum(['start', 'serve']).default('serve'),
  PORT: port.default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Empty: the launcher starts the embedded PostgreSQL and sets it for the processes it starts. */
  DATABASE_URL: z.string().default(''),
  /** Whether the launcher has started the database of `DATA_DIR`. Set by the launcher. */
  EMBEDDED_DATABASE: flag.default(false),
  DATA_DIR: z.string().min(1).default('./data'),
  /** Key of everything that is encrypted at rest; empty: created once and stored in `DATA_DIR`. */
  KEEPWATCH_SECRET: z.string().default(''),
  /** The key before it, while something is still sealed with that: brought along until a rotation has come to its end. */
  KEEPWATCH_PREVIOUS_SECRET: z.string().default(''),
  /** The key was lost: the secrets that were sealed with it are removed, and a start with another key is no longer refused. */
  FORGET_STORED_SECRETS: flag.default(false),
  ROLES: roles.default(['api', 'worker', 'sandbox']),
  /** The address people open, for links; empty: made from HOST and PORT. */
  PUBLIC_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Whether sources may be at private addresses; where nothing is set, in the demonstration alone, whose sandbox is at one. */
  ALLOW_PRIVATE_ADDRESSES: flag.optional(),
  /** The folder below which repositories of Microsoft 365 backups may be; empty: only in buckets, but in the demonstration below `DATA_DIR`. */
  REPOSITORY_ROOT: z
    .string()
    .refine((path) => path === '' || isAbsolute(path), ROOT)
    .default(''),
  /** How many proxies in front of the portal may say for whom they ask (X-Forwarded-For). */
  TRUSTED_PROXIES: z.coerce.number(PROXIES).int(PROXIES).min(0, PROXIES).max(10, PROXIES).default(0),
  /** Header in which the proxies say from which country a request comes; empty: they say none, or are not trusted. */
  COUNTRY_HEADER: z.enum(['', ...COUNTRY_HEADERS], COUNTRY).default(''),
  /** Whether the demonstration's accounts, whose password everyone can read, may be on an address that others reach. */
  DEMONSTRATION_IN_PUBLIC: flag.default(false),
  /** With it `/metrics` is read from other machines; empty: from this one alone. */
  METRICS_TOKEN: z
    .string()
    .regex(/^$|^.{20,}$/, METRICS_TOKEN)
    .default(''),
  /** Instead of Microsoft's own addresses, for a test tenant: before `/{tenant}/oauth2/v2.0`, before `/v1.0`, and before the host of a site. */
  MICROSOFT_LOGIN_URL: address,
  MICROSOFT_GRAPH_URL: address,
  MICROSOFT_SHAREPOINT_URL: address,
  /** The public client with which administrators sign in by a device code: Microsoft Graph Command Line Tools, which every tenant knows. */
  MICROSOFT_SIGN_IN_CLIENT_ID: z.uuid().default('14d82eec-204b-4c2f-b7e8-296a70dab67e'),
  /** Pool of proxies to which this machine's workers belong; empty: none. */
  PROXY_POOL: z.string().max(60).default(''),
  /** Runs of Microsoft 365 jobs that a worker does at the same time; empty: as many as there are processors, and 2 at least. */
  RUNS_AT_ONCE: z
    .string()
    .regex(/^(?:|[1-9]|[1-5]\d|6[0-4])$/, RUNS)
    .default('')
    .transform((text) => (text === '' ? null : Number(text))),
  /** Port of the sandbox vendors in demonstration mode; 0: any free one. */
  SANDBOX_PORT: port.default(1280),
  /** Port of the sandbox's Microsoft 365 tenants in demonstration mode; 0: there are none. */
  SANDBOX_TENANT_PORT: port.default(1281),
  /** Port of the sandbox's Twilio and its phone in demonstration mode; 0: there is none. */
  SANDBOX_SMS_PORT: port.default(1282),
});

const schema = variables.transform((read) => ({
  ...read,
  ...microsoftOf(read),
  ALLOW_PRIVATE_ADDRESSES: read.ALLOW_PRIVATE_ADDRESSES ?? read.KEEPWATCH_MODE === 'start',
  REPOSITORY_ROOT: read.REPOSITORY_ROOT || (read.KEEPWATCH_MODE === 'start' ? repositoriesIn(read.DATA_DIR) : ''),
}));

const repositoriesIn = (dataDir: string) => join(resolve(dataDir), 'repositories');

/** In the demonstration Microsoft 365 is the sandbox, unless its address is given. */
function microsoftOf(read: z.output<typeof variables>) {
  const isSandbox = read.KEEPWATCH_MODE === 'start' && read.ROLES.includes('sandbox') && read.SANDBOX_TENANT_PORT > 0;
  if (!isSandbox || read.MICROSOFT_LOGIN_URL !== '' || read.MICROSOFT_GRAPH_URL !== '') return {};
  const url = `http://127.0.0.1:${read.SANDBOX_TENANT_PORT}`;
  return { MICROSOFT_LOGIN_URL: url, MICROSOFT_GRAPH_URL: url, MICROSOFT_SHAREPOINT_URL: `${url}/sharepoint` };
}

export type Settings = z.infer<typeof schema>;

/** Settings whose value is never repeated. */
const SECRETS: ReadonlySet<string> = new Set([
  'KEEPWATCH_SECRET',
  'KEEPWATCH_PREVIOUS_SECRET',
  'DATABASE_URL',
  'METRICS_TOKEN',
]);

/** A wrong variable: which, what was given, what is accepted. */
export class WrongSettings extends Error {}

/**
 * Reads the settings once, at start. Throws `WrongSettings` with one line that names every wrong variable, what was given
 * and what is accepted; the value of a secret is never repeated.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const read = schema.safeParse(environment);
  if (read.success) return read.data;
  const lines = read.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? '');
    const given = SECRETS.has(name) ? 'a value that is not shown' : `"${environment[name] ?? ''}"`;
    return `${name} is ${given}: ${issue.message}`;
  });
  throw new WrongSettings(`The settings cannot be used. ${lines.join('; ')}`);
}
