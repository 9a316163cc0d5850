import { S3ServiceException } from '@aws-sdk/client-s3';
import { EngineError, type EngineErrorCode } from '../../model/engine-error.ts';

/** Answers that a person has to do something about, by the name the server gives them: messages differ between servers. */
const REFUSALS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'There is no such bucket: create it, or correct its name.',
  AccessDenied:
    'The keys may not do this, or the object is locked: allow them to list, read, write and delete objects and their versions, and to read the bucket’s versioning.',
  InvalidAccessKeyId: 'The server does not know the access key: check it (AWS_ACCESS_KEY_ID on the command line).',
  SignatureDoesNotMatch: 'The secret key is wrong: check it (AWS_SECRET_ACCESS_KEY on the command line).',
  InvalidToken: 'The session token is wrong: check AWS_SESSION_TOKEN.',
  ExpiredToken: 'The session token has expired: get new keys.',
  RequestTimeTooSkewed: 'The clocks of this machine and of the server differ: set this machine’s clock.',
  AuthorizationHeaderMalformed: 'The region is wrong: name that of the bucket (?region=…).',
  PermanentRedirect: 'The bucket is in another region or at another endpoint: name it (?region=… or ?endpoint=…).',
  IllegalLocationConstraintException: 'The region is wrong: name that of the bucket (?region=…).',
  BadDigest: 'The bytes were changed on their way: check memory and network of this machine.',
};

const FULL = [
  'QuotaExceeded',
  'InsufficientStorage',
  'StorageFull',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
];
const ABSENT = ['NoSuchKey', 'NotFound', 'NoSuchVersion'];
/** The server asks for patience, or two writers met: the second one finds out when it tries again. */
const PASSING = [
  'SlowDown',
  'RequestTimeout',
  'ConditionalRequestConflict',
  'OperationAborted',
  'TooManyRequests',
  'Throttling',
];

/** What the system says when no server can be reached for a reason that does not go away without a change. */
const SETUP: Readonly<Record<string, string>> = {
  EPROTO: 'The server does not speak TLS there: is it http:// instead of https://, or another port?',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server is for another name: check the endpoint.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired: have it renewed.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is its own: give its authority as NODE_EXTRA_CA_CERTS.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The authority of the server’s certificate is not known: give it as NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The authority of the server’s certificate is not known: give it as NODE_EXTRA_CA_CERTS.',
};

/**
 * An answer of the server, or none, as an error that says what to do.
 * @param what was worked on: a bucket, or an object in it
 */
export function s3Error(error: unknown, what: string): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof S3ServiceException) {
    return answerError(
      { name: error.name, status: error.$metadata.httpStatusCode ?? 0, text: error.message, cause: error },
      what,
    );
  }
  const status = strangerStatus(error);
  if (status !== null)
    return answerError(
      { name: 'not S3', status, text: 'its answer is none of an S3 server, perhaps a proxy gave it.', cause: error },
      what,
    );
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const setup = SETUP[code];
  if (setup !== undefined) return of('store-refused', `${what}: ${setup} (${code})`, error);
  const text = `${what}: the server does not answer. Check network and endpoint, and try again. (${code || String(error)})`;
  return of('store-unreachable', text, error, true);
}

/** Status of an answer that the client could not read: what a proxy before the server says has another form. */
function strangerStatus(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return null;
  const metadata = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return null;
  return typeof metadata.httpStatusCode === 'number' && metadata.httpStatusCode >= 400 ? metadata.httpStatusCode : null;
}

interface Answer {
  name: string;
  status: number;
  /** For a person, where nothing better is known. */
  text: string;
  cause: unknown;
}

function answerError({ name, status, text: reason, cause: error }: Answer, what: string): EngineError {
  const said = `(${status} ${name})`;
  if (ABSENT.includes(name)) return of('not-found', `${what} is not there. ${said}`, error);
  if (FULL.includes(name) || status === 507) {
    const text = `${what}: the bucket is full, or its quota is used up. Raise the quota or prune the repository, and start again. What was stored stays valid. ${said}`;
    return of('store-full', text, error);
  }
  if (PASSING.includes(name) || (status >= 500 && status !== 501) || status === 429)
    return of(
      'store-unreachable',
      `${what}: the server cannot answer at the moment. Try again later. ${said}`,
      error,
      true,
    );
  const refusal = REFUSALS[name] ?? (status === 403 ? REFUSALS.AccessDenied : undefined);
  return of('store-refused', `${what}: ${refusal ?? `The server refuses it: ${reason}`} ${said}`, error);
}

/** Whether the server's answer has one of these names. */
export function isAnswer(error: unknown, ...names: string[]): boolean {
  return error instanceof S3ServiceException && names.includes(error.name);
}

function of(code: EngineErrorCode, message: string, cause: unknown, isRetryable = false): EngineError {
  return new EngineError(code, message, { cause, isRetryable });
}
