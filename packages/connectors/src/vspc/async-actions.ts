import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { HttpReply } from '../http/message.ts';
import type { Wait } from '../http/wait.ts';

/** GetAsyncActionInfoResponse200, as far as it is read. */
const actionInfo = z.object({ data: z.object({ status: z.enum(['running', 'succeed', 'failed', 'canceled']) }) });

/** Between two looks at an action; grows by half each time up to the greater. */
const POLL_MS = 500;
const POLL_MS_MAX = 5_000;

export interface AsyncActionOptions {
  /** An authorized GET below the base address; throws for anything but a success. */
  read(path: string, signal: AbortSignal): Promise<unknown>;
  wait: Wait;
  /** All waits for one action together. */
  waitMsMax: number;
}

/**
 * Any call may answer 202 with the address of an asynchronous action. Follows it to its result, which is what the call
 * would have answered itself. Of the address only the action's id is used: where it says to go is not trusted.
 */
export async function followAsyncAction(
  reply: HttpReply,
  what: string,
  options: AsyncActionOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const path = actionPath(reply, what);
  let waitedMs = 0;
  for (let pollMs = POLL_MS; ; pollMs = Math.min(POLL_MS_MAX, pollMs * 1.5)) {
    const info = actionInfo.safeParse(await options.read(path, signal));
    if (!info.success)
      throw new ConnectorError('bad-reply', `${what}: the state of its asynchronous action is not readable`);
    const { status } = info.data.data;
    if (status === 'succeed') return options.read(`${path}/result`, signal);
    if (status !== 'running') throw await actionError(path, what, status, options, signal);
    if (waitedMs + pollMs > options.waitMsMax) {
      throw new ConnectorError('not-reachable', `${what}: its asynchronous action did not end within ${waitedMs} ms`);
    }
    await options.wait(pollMs, signal);
    waitedMs += pollMs;
  }
}

function actionPath(reply: HttpReply, what: string): string {
  const id = /\/asyncActions?\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i.exec(
    reply.headers.location ?? '',
  )?.[1];
  if (!id) throw new ConnectorError('bad-reply', `${what} answered 202 without the address of an asynchronous action`);
  return `asyncActions/${id}`;
}

/** The result of a failed action is the vendor's error with its own status, which the read then throws. */
async function actionError(
  path: string,
  what: string,
  status: 'failed' | 'canceled',
  options: AsyncActionOptions,
  signal: AbortSignal,
): Promise<ConnectorError> {
  if (status === 'failed') await options.read(`${path}/result`, signal);
  return new ConnectorError('bad-reply', `${what}: its asynchronous action was ${status}; it is asked again later`);
}
