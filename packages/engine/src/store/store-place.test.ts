import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { s3Settings } from './s3/s3-settings.ts';
import { parseStorePlace } from './store-place.ts';

test.each(['/backup/contoso', 'backup', './s3:odd', 'C:\\backup', '../up', '/with space/ümlaut'])(
  'takes %j as a folder',
  (path) => {
    expect(parseStorePlace(path)).toEqual({ kind: 'folder', path: resolve(path) });
  },
);

test('takes a bucket with a prefix, a server of its own, a region and the style of its addresses', () => {
  const place =
    's3://backups/customers/Contoso_1/?endpoint=https://s3.contoso.test:9000/&region=eu-1&path-style=false&lock-days=30';
  expect(parseStorePlace(place)).toEqual({
    kind: 's3',
    bucket: 'backups',
    prefix: 'customers/Contoso_1',
    endpoint: 'https://s3.contoso.test:9000',
    region: 'eu-1',
    isPathStyle: false,
    lockDays: 30,
  });
  expect(parseStorePlace('s3://backups?endpoint=s3.contoso.test&path-style')).toMatchObject({
    prefix: '',
    endpoint: 'https://s3.contoso.test',
    region: null,
    isPathStyle: true,
    lockDays: null,
  });
});

test.each([
  ['', /no place/],
  ['  ', /no place/],
  ['a\0b', /no place/],
  ['ftp://host/path', /cannot be stored in 'ftp:'/],
  ['https://bucket.s3.amazonaws.com', /cannot be stored in 'https:'/],
  ['s3:bucket', /s3:\/\/bucket\/prefix/],
  ['s3://', /bucket/],
  ['s3://UPPER/case', /no name of a bucket/],
  ['s3://bucket:9000/prefix', /bucket/],
  ['s3://id:secret@bucket/prefix', /AWS_ACCESS_KEY_ID/],
  ['s3://bucket/a b', /cannot be a prefix/],
  ['s3://bucket/a//b', /cannot be a prefix/],
  ['s3://bucket/%2e%2e%2fa', /cannot be a prefix/],
  ['s3://bucket/%zz', /cannot be a prefix/],
  ['s3://bucket?Region=eu', /'Region' is no option/],
  ['s3://bucket?path-style=maybe', /neither true nor false/],
  ['s3://bucket?lock-days=0', /no number of days/],
  ['s3://bucket?lock-days=9999', /no number of days/],
  ['s3://bucket?endpoint=ftp://host', /no endpoint/],
  ['s3://bucket?endpoint=https://id:secret@host', /AWS_ACCESS_KEY_ID/],
  ['s3://bucket?endpoint=https://host?a=b', /no endpoint/],
])('refuses %j and says why', (place, message) => {
  expect(() => parseStorePlace(place)).toThrow(
    expect.objectContaining({ code: 'bad-request', message: expect.stringMatching(message) }),
  );
});

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

function settings(place: string, environment: Record<string, string>) {
  const parsed = parseStorePlace(place);
  if (parsed.kind !== 's3') throw new Error('a bucket was given');
  return s3Settings(parsed, environment);
}

test('takes what the place leaves open from the usual variables', () => {
  const environment = {
    ...KEYS,
    AWS_SESSION_TOKEN: 'token',
    AWS_REGION: 'eu-2',
    AWS_ENDPOINT_URL: 'http://localhost:9000',
  };
  expect(settings('s3://bucket/a', environment)).toEqual({
    bucket: 'bucket',
    prefix: 'a',
    endpoint: 'http://localhost:9000',
    region: 'eu-2',
    isPathStyle: true,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' },
  });
  expect(settings('s3://bucket?region=eu-9', { ...KEYS, AWS_REGION: 'eu-2' })).toMatchObject({
    endpoint: null,
    region: 'eu-9',
    isPathStyle: false,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
});

test('asks for keys that are missing or empty', () => {
  const incomplete: Record<string, string>[] = [
    {},
    { AWS_ACCESS_KEY_ID: 'id' },
    { ...KEYS, AWS_SECRET_ACCESS_KEY: '' },
  ];
  for (const environment of incomplete)
    expect(() => settings('s3://bucket', environment)).toThrow(/AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
});
