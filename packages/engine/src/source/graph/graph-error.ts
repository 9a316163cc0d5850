import { EngineError, type EngineErrorCode } from '../../model/engine-error.ts';
import { type JsonObject, objectOf, textOf } from './json.ts';

/** What Graph answered instead of what was asked. */
export class GraphError extends EngineError {
  readonly status: number;
  /** The vendor's own code, such as `ErrorItemNotFound`. */
  readonly graphCode: string;

  constructor(code: EngineErrorCode, status: number, graphCode: string, message: string, isRetryable: boolean) {
    super(code, message, { isRetryable });
    this.status = status;
    this.graphCode = graphCode;
  }
}

/** Refusals of one item that no later attempt mends, although their status says so. */
const ITEM_IS_CORRUPT =
  /^(?:ErrorCorruptData|ErrorMimeContent|ErrorContentConversionFailed|ErrorItemCorrupt|ErrorRightsManagement(?:Permanent)?Exception$)/i;

/**
 * A drive, site or mailbox has no room left: https://learn.microsoft.com/graph/errors (507) and
 * https://learn.microsoft.com/exchange/client-developer/web-service-reference/responsecode.
 */
const isFull = (status: number, graphCode: string) =>
  status === 507 || /^(?:quotaLimitReached|ErrorQuotaExceeded|QuotaExceededException)$/i.test(graphCode);

/** Whether a refusal may be another answer in a moment. */
export function isPassing(status: number, graphCode: string): boolean {
  if (ITEM_IS_CORRUPT.test(graphCode) || isFull(status, graphCode)) return false;
  return [408, 429].includes(status) || status >= 500 || graphCode === 'ErrorTimeoutExpired';
}

/** The refusal as an error for people. @param what the call: `GET /users/…` */
export function graphErrorOf(status: number, body: unknown, what: string): GraphError {
  const error = errorOf(objectOf(body));
  const graphCode = textOf(error['code']) ?? String(status);
  const said = textOf(error['message']) ?? textOf(objectOf(error['message'])['value']) ?? 'no explanation';
  const answer = `Microsoft 365 answered ${status} ${graphCode} to ${what}${requestIdOf(error)}: ${said}`;
  const { code, advice } = meaningOf(status, graphCode);
  return new GraphError(code, status, graphCode, `${answer} ${advice}`, isPassing(status, graphCode));
}

/** Whether a refusal says that what was asked for is not there, and nothing else: without the cost of an error. */
export function saysNotFound(status: number, body: unknown): boolean {
  return status === 404 && meaningOf(status, textOf(errorOf(objectOf(body))['code']) ?? '').code === 'not-found';
}

/** SharePoint's own interface spells it in another way, and says of a token only what is wrong with it. */
function errorOf(body: JsonObject): JsonObject {
  const description = textOf(body['error_description']);
  if (description !== undefined) return { code: body['error'], message: description };
  return objectOf(body['error'] ?? body['odata.error']);
}

function requestIdOf(error: JsonObject): string {
  const inner = objectOf(error['innerError'] ?? error['innererror']);
  const id = textOf(inner['request-id']);
  return id === undefined ? '' : ` (request ${id})`;
}

/** A person whose mailbox is none in the cloud, or none any more. */
const NO_MAILBOX: ReadonlySet<string> = new Set(['MailboxNotEnabledForRESTAPI', 'MailboxNotSupportedForRESTAPI']);

function meaningOf(status: number, graphCode: string): { code: EngineErrorCode; advice: string } {
  if (isFull(status, graphCode))
    return { code: 'source-full', advice: 'It is full: free space in it or raise its limit, then begin this again.' };
  if (status === 401) return { code: 'credentials-refused', advice: 'Renew the application’s secret or certificate.' };
  if (status === 403)
    return {
      code: 'consent-missing',
      advice: 'Let an administrator grant the application the permission for this and consent to it.',
    };
  if (NO_MAILBOX.has(graphCode))
    return { code: 'source-gone', advice: 'Exclude it from the job, or give the user a mailbox.' };
  if (status === 404) return { code: 'not-found', advice: 'It was deleted or moved meanwhile.' };
  if (status === 423)
    return {
      code: 'source-refused',
      advice: 'It is locked: a file by who has it open, a site by an administrator. Try again once it is unlocked.',
    };
  if (status === 429 || status === 503)
    return { code: 'source-unreachable', advice: 'It goes on with the next run; see the service health page.' };
  return { code: 'source-refused', advice: 'It is tried again with the next run.' };
}

/** The link of a delta or a page has expired: start over. https://learn.microsoft.com/graph/delta-query-overview */
export function isSyncStateGone(error: unknown): boolean {
  if (!(error instanceof GraphError)) return false;
  return error.status === 410 || /^(?:SyncState(?:NotFound|Invalid)|resyncRequired)$/i.test(error.graphCode);
}

/** What a cloud or licence answers to a call it does not know; `BadRequest` is the answer to an unknown path. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  '400 BadRequest',
  '400 ResourceNotFound',
  '400 notSupported',
  '405 notSupported',
  '501 notSupported',
  '501 NotImplemented',
]);

/**
 * The tenant or cloud does not know the call. Asked only of calls that are right as they are, and never decided by texts: an answer that
 * something was not found means that it is gone, or that the service is ill, and not that the service does not offer it.
 */
export function isNotOffered(error: unknown): boolean {
  return error instanceof GraphError && NOT_OFFERED.has(`${error.status} ${error.graphCode}`);
}

/** Codes for a message whose protection forbids what was asked; https://learn.microsoft.com/exchange/client-developer/web-service-reference/responsecode */
const PROTECTED: ReadonlySet<string> = new Set([
  'ErrorRightsManagementException',
  'ErrorRightsManagementPermanentException',
]);

/** The item is protected so that only its readers can open it. */
export function isProtected(error: unknown): boolean {
  return error instanceof GraphError && PROTECTED.has(error.graphCode);
}
