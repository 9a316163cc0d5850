import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { GraphReply } from '../wire/graph-call.ts';
import { numberParameter, type TenantFault, textParameter } from './fault.ts';

/** Whether the fault is one of the connection: the reply is made as always, and does not arrive as it should. */
export const isBroken = ({ kind }: TenantFault) => ['cut', 'slow', 'hang', 'garbage'].includes(kind);

/**
 * Sends a reply the way the fault says: `cut` breaks the connection after a share of the body, `slow` gives it a few bytes
 * at a time, `hang` gives nothing, ever, `garbage` gives 200 with what is no JSON.
 */
export async function sendBroken(fault: TenantFault, reply: GraphReply, outgoing: ServerResponse): Promise<void> {
  if (fault.kind === 'hang') return;
  const whole = fault.kind === 'garbage' ? garbage(fault, reply) : bytesOf(reply.body);
  const status = fault.kind === 'garbage' ? 200 : reply.status;
  outgoing.writeHead(status, {
    'content-type': Buffer.isBuffer(reply.body) ? 'application/octet-stream' : 'application/json',
    ...reply.headers,
    'content-length': String(whole.length),
  });
  if (fault.kind === 'cut') return cut(fault, whole, outgoing);
  if (fault.kind === 'slow') await dribble(fault, whole, outgoing);
  else outgoing.end(whole);
}

function cut(fault: TenantFault, whole: Buffer, outgoing: ServerResponse): void {
  const share = numberParameter(fault, 'share', 0.5);
  outgoing.write(whole.subarray(0, Math.floor(whole.length * share)), () => outgoing.destroy());
  // Nothing to write means no word from the stream either.
  if (whole.length === 0) outgoing.destroy();
}

async function dribble(fault: TenantFault, whole: Buffer, outgoing: ServerResponse): Promise<void> {
  const chunkBytes = Math.max(1, numberParameter(fault, 'chunkBytes', 64));
  const intervalMs = numberParameter(fault, 'intervalMs', 50);
  for (let at = 0; at < whole.length && !outgoing.destroyed; at += chunkBytes) {
    outgoing.write(whole.subarray(at, at + chunkBytes));
    await wait(intervalMs, undefined, { ref: false });
  }
  outgoing.end();
}

function garbage(fault: TenantFault, reply: GraphReply): Buffer {
  const form = textParameter(fault, 'form', 'html');
  if (form === 'empty') return Buffer.alloc(0);
  if (form === 'truncated') return bytesOf(reply.body).subarray(0, -1);
  return Buffer.from('<html><body><h1>Our services are not available right now</h1></body></html>');
}

function bytesOf(body: GraphReply['body']): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
}
