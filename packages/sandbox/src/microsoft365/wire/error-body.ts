import type { GraphError } from './graph-error.ts';

/** Ids of one request, which its reply and its refusal repeat. */
export interface RequestIds {
  requestId: string;
  clientRequestId: string;
}

export function errorBody(error: GraphError, ids: RequestIds, nowMs: number): object {
  return {
    error: {
      code: error.code,
      message: error.message,
      innerError: {
        date: new Date(nowMs).toISOString().slice(0, 19),
        'request-id': ids.requestId,
        'client-request-id': ids.clientRequestId,
      },
    },
  };
}
