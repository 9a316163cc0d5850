import type { Call } from '@keepwatch/contract/wire/call';
import type { AnyRequest } from './call-input.ts';

/** Numbers from 0 (included) to 1, the same ones for the same seed. */
export type Chance = () => number;

/** A small generator of numbers (mulberry32), so that a run can be had again by its seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function oneOf<T>(chance: Chance, list: readonly [T, ...T[]]): T {
  return list[Math.floor(chance() * list.length)] ?? list[0];
}

/** A request as it is written to a connection. */
export interface MalformedRequest {
  method: string;
  address: string;
  headers: readonly string[];
  body: Buffer;
}

/** Texts that programs stumble over, as they are written in JSON. */
const JSON_TEXTS = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\uffff"',
  '""',
  '" "',
  '"\\u202e"',
  '"%00"',
  '"\'"',
  '"\\\\"',
  '"--"',
  '"{{}}"',
  '"__proto__"',
  '"constructor"',
  '"NaN"',
  '"-1"',
  '"1e999"',
  '"2026-99-99"',
  '"2026-02-31"',
  '"9999-12-31T23:59:59Z"',
  '"0000-00-00"',
  '"00000000-0000-0000-0000-000000000000"',
  '"00000000-0000-0000-0000-00000000000g"',
  `"${'x'.repeat(5_000)}"`,
  `"${'€'.repeat(300)}"`,
] as const;
const JSON_VALUES = [
  ...JSON_TEXTS,
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '-0',
  '9007199254740993',
  '1'.repeat(400),
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"a":1}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"toString":1}',
  '{"then":1}',
  '{"length":-1}',
  `[${'1,'.repeat(1_500)}1]`,
] as const;
const QUERY_TEXTS = [
  '%00',
  'a%00b',
  '%ff',
  '%c3%28',
  '%ed%a0%80',
  '%',
  '%zz',
  '%u0000',
  '',
  '%20',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  'null',
  '[object%20Object]',
  '2026-99-99',
  '2026-02-31',
  '%222026-02-31T00:00:00Z%22',
  '0001-01-01',
  '%27%20or%201%3D1--',
  '..%2f..%2f',
  '%2e%2e',
  '__proto__',
  'a'.repeat(3_000),
  '%E2%80%AE',
  '00000000-0000-0000-0000-000000000000',
  '{}',
  '[]',
  'true',
  '*',
  '%25',
  '+',
  ';',
  '%0d%0aSet-Cookie:x=y',
] as const;
const QUERY_NAMES = [
  'limit',
  'offset',
  'sort',
  'from',
  'to',
  'filter',
  'filter.search',
  'filter.companyIds',
  'filter.source',
  'search',
  'domain',
  'job',
  'exitCode',
  '__proto__',
  '__proto__.a',
  'constructor.prototype',
  'a.b.c.d.e.f',
  '',
  '.',
  '%00',
  'cursor',
  'ids',
] as const;
const HEADERS = [
  'Content-Type: text/html',
  'Content-Type: application/xml',
  'Content-Type: multipart/form-data; boundary=x',
  'Content-Type: application/json; charset=utf-7',
  'Content-Type: ',
  'Content-Type: \xff\xfe',
  'Content-Encoding: gzip',
  'Content-Encoding: identity',
  'Accept: \xff',
  'Accept-Encoding: *;q=x',
  'Idempotency-Key: ',
  'Idempotency-Key: \xe9',
  `Idempotency-Key: ${'k'.repeat(300)}`,
  'Idempotency-Key: same',
  'Authorization: Basic YTpi',
  'Authorization: Bearer ',
  'Authorization: Bearer \xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff',
  'Cookie: a=b; \xff',
  'X-Forwarded-For: nonsense',
  'X-Forwarded-Host: evil.example',
  'Range: bytes=5-1',
  'If-None-Match: \xff',
  'Origin: null',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'TE: x',
  `X-Long: ${'x'.repeat(8_000)}`,
] as const;
const METHODS = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'GET',
  'TRACE',
  'PROPFIND',
  'LOCK',
  'QUERY',
] as const;
const HOSTS = [
  'localhost',
  'other.localhost',
  'unknown.example',
  '\xff',
  '[::1]:80',
  'a'.repeat(300),
  'localhost:99999',
  "'",
  '..',
] as const;

/** A request of a call with something wrong with it, and sometimes with nothing: mostly one thing, so that the rest gets it as far as it can. */
export function malformed(call: Call, valid: AnyRequest, chance: Chance): MalformedRequest {
  const [path = '', query = ''] = valid.address.split('?');
  const request = {
    method: valid.method as string,
    path,
    query,
    host: 'localhost',
    headers: [] as string[],
    body: Buffer.from(valid.body ?? ''),
  };
  const faults = chance() < 0.7 ? 1 : 3;
  for (let fault = 0; fault < faults; fault += 1) oneOf(chance, FAULTS)(request, chance, call);
  const address = `${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  return {
    method: request.method,
    address,
    headers: [`Host: ${request.host}`, ...request.headers],
    body: request.body,
  };
}

interface Draft {
  method: string;
  path: string;
  query: string;
  host: string;
  headers: string[];
  body: Buffer;
}

type Fault = (draft: Draft, chance: Chance, call: Call) => void;

const wrongParameter: Fault = (draft, chance, { path }) => {
  if (!path.includes('{')) return wrongQuery(draft, chance, { path } as Call);
  draft.path = `/api${path.replace(/\{\w+\}/g, () => oneOf(chance, QUERY_TEXTS))}`;
};
const wrongQuery: Fault = (draft, chance) => {
  const pair = () => `${oneOf(chance, QUERY_NAMES)}=${oneOf(chance, QUERY_TEXTS)}`;
  draft.query = [draft.query, pair(), ...(chance() < 0.3 ? [pair(), pair()] : [])].filter(Boolean).join('&');
};
/** One of the values that the query has already, changed. */
const changedQuery: Fault = (draft, chance, call) => {
  const pairs = draft.query.split('&');
  if (draft.query === '') return wrongQuery(draft, chance, call);
  const at = Math.floor(chance() * pairs.length);
  pairs[at] = `${pairs[at]?.split('=')[0]}=${oneOf(chance, QUERY_TEXTS)}`;
  draft.query = pairs.join('&');
};
const wrongHeader: Fault = (draft, chance) => void draft.headers.push(oneOf(chance, HEADERS));
const wrongHost: Fault = (draft, chance) => {
  draft.host = oneOf(chance, HOSTS);
};
const wrongMethod: Fault = (draft, chance) => {
  draft.method = oneOf(chance, METHODS);
};
/** One value of the body, changed. */
const wrongValue: Fault = (draft, chance) => {
  const text = draft.body.toString();
  const places = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|[\d.]+|true|false|null)/g)];
  const place = places[Math.floor(chance() * places.length)];
  if (place === undefined) return otherBody(draft, chance, {} as Call);
  const value = oneOf(chance, JSON_VALUES);
  draft.body = Buffer.from(`${text.slice(0, place.index + 1)}${value}${text.slice(place.index + place[0].length)}`);
};
const repeatedKey: Fault = (draft, chance) => {
  const text = draft.body.toString();
  const name = /"(\w+)":/.exec(text)?.[1] ?? 'a';
  draft.body = Buffer.from(text.replace('{', `{"${name}":${oneOf(chance, JSON_VALUES)},`));
};
const unknownKey: Fault = (draft, chance) => {
  const name = oneOf(chance, JSON_TEXTS);
  draft.body = Buffer.from(draft.body.toString().replace('{', `{${name}:${oneOf(chance, JSON_VALUES)},`));
};
const otherBody: Fault = (draft, chance) => {
  draft.body = Buffer.from(oneOf(chance, JSON_VALUES));
};
const truncatedBody: Fault = (draft, chance) => {
  draft.body = draft.body.subarray(0, Math.floor(chance() * draft.body.length));
};
const brokenBytes: Fault = (draft, chance) => {
  const bytes = Buffer.from(draft.body);
  for (let count = 0; count < 3 && bytes.length > 0; count += 1)
    bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
  draft.body = oneOf(chance, [
    bytes,
    Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  ]);
};
const none: Fault = () => undefined;

const FAULTS: readonly [Fault, ...Fault[]] = [
  wrongParameter,
  wrongQuery,
  changedQuery,
  changedQuery,
  wrongHeader,
  wrongHost,
  wrongMethod,
  wrongValue,
  wrongValue,
  wrongValue,
  repeatedKey,
  unknownKey,
  otherBody,
  truncatedBody,
  brokenBytes,
  none,
];
