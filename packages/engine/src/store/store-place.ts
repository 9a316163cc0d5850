import { resolve } from 'node:path';
import { EngineError } from '../model/engine-error.ts';

/** Where a repository is stored, as a person writes it in one line. */
export type StorePlace = { kind: 'folder'; path: string } | ({ kind: 's3' } & S3Place);

export interface S3Place {
  bucket: string;
  /** Without slashes at its ends; empty for a repository that has the bucket to itself. */
  prefix: string;
  /** Only for servers that are not Amazon's. */
  endpoint: string | null;
  region: string | null;
  /** `http://host/bucket` rather than `http://bucket.host`. Null: as the endpoint suggests. */
  isPathStyle: boolean | null;
  /** Days for which objects cannot be deleted after they are written: object lock. Null: none. */
  lockDays: number | null;
}

/** Two letters and more: `C:\backup` is a folder. */
const SCHEME = /^([a-z][a-z0-9+.-]+):/i;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?!\.{1,2}(\/|$))[\w!*'().-]+(\/(?!\.{1,2}(\/|$))[\w!*'().-]+)*$/;
const S3_FORM = 's3://bucket/prefix?endpoint=https://host&region=name&path-style&lock-days=30';
const S3_OPTIONS = ['endpoint', 'region', 'path-style', 'lock-days'];

/**
 * Reads a folder's path, or `s3://bucket/prefix?endpoint=…&region=…&path-style&lock-days=…`.
 * @throws `bad-request` for anything else, secrets in the place included
 */
export function parseStorePlace(place: string): StorePlace {
  if (place.trim() === '' || place.includes('\0')) throw bad(`'${place}' is no place for a repository.`);
  const scheme = SCHEME.exec(place)?.[1]?.toLowerCase();
  if (scheme === undefined) return { kind: 'folder', path: resolve(place) };
  if (scheme === 's3') return { kind: 's3', ...parseS3Place(place) };
  throw bad(`Repositories cannot be stored in '${scheme}:'. Give the path of a folder, or ${S3_FORM}.`);
}

function parseS3Place(place: string): S3Place {
  const url = URL.parse(place);
  if (url === null || !place.toLowerCase().startsWith('s3://')) throw bad(`A bucket is given as ${S3_FORM}.`);
  if (url.username !== '' || url.password !== '') throw bad(`Keys do not belong into the place: ${KEYS_ADVICE}`);
  if (!BUCKET.test(url.host)) throw bad(`'${url.host}' is no name of a bucket. A bucket is given as ${S3_FORM}.`);
  const prefix = decoded(url.pathname).replace(/^\/+|\/+$/g, '');
  if (prefix !== '' && !PREFIX.test(prefix))
    throw bad(`'${prefix}' cannot be a prefix: it may hold letters, digits, / and !-_.*'() alone.`);
  const unknown = [...url.searchParams.keys()].find((name) => !S3_OPTIONS.includes(name));
  if (unknown !== undefined) throw bad(`'${unknown}' is no option of a bucket. Known are ${S3_OPTIONS.join(', ')}.`);
  return {
    bucket: url.host,
    prefix,
    endpoint: parseEndpoint(url.searchParams.get('endpoint')),
    region: url.searchParams.get('region') || null,
    isPathStyle: parseSwitch(url.searchParams.get('path-style')),
    lockDays: parseDays(url.searchParams.get('lock-days')),
  };
}

export const KEYS_ADVICE = 'give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw bad(`'${path}' cannot be a prefix: a % in it is followed by no two hexadecimal digits.`);
  }
}

/** @throws `bad-request` for what is no plain http(s) address of a server */
export function parseEndpoint(text: string | null): string | null {
  if (text === null || text === '') return null;
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) throw bad(`'${text}' is no endpoint: give https://host:port.`);
  if (url.username !== '' || url.password !== '') throw bad(`Keys do not belong into the endpoint: ${KEYS_ADVICE}`);
  if (url.search !== '' || url.hash !== '') throw bad(`'${text}' is no endpoint: nothing may follow its path.`);
  return url.href.replace(/\/$/, '');
}

/** `path-style` and `path-style=true` say yes. */
function parseSwitch(text: string | null): boolean | null {
  if (text === null) return null;
  if (text === '' || text === 'true') return true;
  if (text === 'false') return false;
  throw bad(`path-style=${text} is neither true nor false.`);
}

/** A mistyped lock cannot be lifted before it ends, so none is longer than ten years. */
const LOCK_DAYS_MAX = 3_650;

function parseDays(text: string | null): number | null {
  if (text === null) return null;
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= LOCK_DAYS_MAX) return Number(text);
  throw bad(`lock-days=${text} is no number of days from 1 to ${LOCK_DAYS_MAX}.`);
}

function bad(message: string): EngineError {
  return new EngineError('bad-request', message);
}
