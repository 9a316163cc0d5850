import { GraphError } from '../wire/graph-error.ts';
import { itemNotFound, syncStateGone } from '../wire/refusals.ts';
import { numberParameter, type TenantFault, textParameter } from './fault.ts';

/** The refusal that a fault causes; `undefined` for the faults of the connection and for other calls. */
export function refusalOf(fault: TenantFault, query: URLSearchParams, nowMs: number): GraphError | undefined {
  switch (fault.kind) {
    case 'throttle':
      return throttle(fault, nowMs);
    case 'server-error':
      return serverError(numberParameter(fault, 'status', 500));
    case 'expired-token':
      return new GraphError(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.');
    case 'vanished':
      return itemNotFound();
    case 'corrupt':
      return new GraphError(500, 'ErrorCorruptData', 'Data is corrupt.');
    case 'sync-state-gone':
      return ['$deltatoken', '$skiptoken', 'token'].some((name) => query.has(name))
        ? syncStateGone(textParameter(fault, 'code', 'SyncStateNotFound'))
        : undefined;
    default:
      return undefined;
  }
}

function throttle(fault: TenantFault, nowMs: number): GraphError {
  const seconds = numberParameter(fault, 'retryAfterSeconds', 1);
  const isDate = textParameter(fault, 'as', 'seconds') === 'date';
  const retryAfter = isDate ? new Date(nowMs + seconds * 1000).toUTCString() : String(seconds);
  const status = numberParameter(fault, 'status', 429);
  const code = textParameter(fault, 'code', status === 429 ? 'TooManyRequests' : 'serviceNotAvailable');
  const headers: Record<string, string> =
    textParameter(fault, 'as', '') === 'nothing' ? {} : { 'retry-after': retryAfter };
  return new GraphError(status, code, 'Please retry after', headers);
}

const words: Readonly<Record<number, [string, string]>> = {
  500: ['InternalServerError', 'An internal server error occurred. The operation failed.'],
  502: ['BadGateway', 'The remote server returned an invalid response.'],
  503: ['ServiceUnavailable', 'The service is temporarily unavailable.'],
  504: ['UnknownError', 'The server, while acting as a proxy, did not receive a timely response.'],
};

function serverError(status: number): GraphError {
  const [code, message] = words[status] ?? ['UnknownError', 'The operation failed.'];
  return new GraphError(status, code, message);
}
