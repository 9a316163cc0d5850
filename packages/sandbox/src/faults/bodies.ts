import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { type Fault, numberParameter, textParameter } from './fault.ts';

/** The part of a reply to a collection that the faults need. */
interface Page {
  meta: { pagingInfo: { total: number; count: number; offset: number } };
  data: Record<string, unknown>[];
}

function isPage(body: unknown): body is Page {
  return typeof body === 'object' && body !== null && 'meta' in body && 'data' in body && Array.isArray(body.data);
}

/**
 * Faults that change what a page says; anything that is no page stays as it is.
 * - half-page: the second half of the entities is missing, and the count says so, while the total does not change
 * - same-page: the first page whatever was asked, with a total that always promises more
 * - wrong-shape: one entity has a property of the wrong type and lacks its id
 */
export function distortPage(fault: Fault, body: unknown, askedOffset: number): unknown {
  if (!isPage(body)) return body;
  const { pagingInfo } = body.meta;
  if (fault.kind === 'half-page') {
    const data = body.data.slice(0, Math.ceil(body.data.length / 2));
    return { ...body, meta: { pagingInfo: { ...pagingInfo, count: data.length } }, data };
  }
  if (fault.kind === 'same-page') {
    const total = pagingInfo.total + askedOffset;
    return { ...body, meta: { pagingInfo: { ...pagingInfo, total, offset: askedOffset } } };
  }
  if (fault.kind === 'wrong-shape') {
    const spoilt = numberParameter(fault, 'index', 0);
    const data = body.data.map((entity, index) => (index === spoilt ? spoil(entity, fault) : entity));
    return { ...body, data };
  }
  return body;
}

/** Takes the id away (or the property `missing` names) and makes the name (or `wrong`) an object. */
function spoil(entity: Record<string, unknown>, fault: Fault): Record<string, unknown> {
  const { [textParameter(fault, 'missing', 'instanceUid')]: _gone, ...rest } = entity;
  return { ...rest, [textParameter(fault, 'wrong', 'name')]: { unexpected: [1, null] } };
}

/** Half of the bytes, and then the connection breaks. */
export function cutStream(body: string): Readable {
  const bytes = Buffer.from(body);
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, Math.ceil(bytes.length / 2));
      await wait(5);
      throw new Error('The fault cut broke the connection');
    })(),
  );
}

/** All of the bytes, a few at a time: `chunkBytes` (64) every `intervalMs` (50). */
export function slowStream(body: string, fault: Fault): Readable {
  const bytes = Buffer.from(body);
  const chunkBytes = Math.max(1, numberParameter(fault, 'chunkBytes', 64));
  const intervalMs = numberParameter(fault, 'intervalMs', 50);
  return Readable.from(
    (async function* () {
      for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
        yield bytes.subarray(offset, offset + chunkBytes);
        await wait(intervalMs, undefined, { ref: false });
      }
    })(),
  );
}
