import type { LookupFunction } from 'node:net';
import { EngineError } from '../../model/engine-error.ts';
import { KEYS_ADVICE, parseEndpoint, type S3Place } from '../store-place.ts';

/** All that a client of S3 has to know. Contains secrets: never to be logged. */
export interface S3Settings {
  bucket: string;
  prefix: string;
  endpoint: string | null;
  region: string;
  isPathStyle: boolean;
  /** Instead of the system's own way. */
  lookup?: LookupFunction;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
}

/** The region that servers other than Amazon's accept where none is named. */
const DEFAULT_REGION = 'us-east-1';

/**
 * What the place leaves open comes from the variables that Amazon's own programs read: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 * `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`.
 * @throws `bad-request` without keys
 */
export function s3Settings(place: S3Place, environment: Readonly<Record<string, string | undefined>>): S3Settings {
  const accessKeyId = environment.AWS_ACCESS_KEY_ID;
  const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY;
  if (!accessKeyId || !secretAccessKey)
    throw new EngineError('bad-request', `The keys of bucket ${place.bucket} are missing: ${KEYS_ADVICE}`);
  const sessionToken = environment.AWS_SESSION_TOKEN;
  const endpoint =
    place.endpoint ?? parseEndpoint(environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || null);
  return {
    bucket: place.bucket,
    prefix: place.prefix,
    endpoint,
    region: place.region ?? (environment.AWS_REGION || environment.AWS_DEFAULT_REGION || DEFAULT_REGION),
    // Own servers seldom have a DNS name for every bucket; Amazon wants it the other way.
    isPathStyle: place.isPathStyle ?? endpoint !== null,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
  };
}
