/** The first bytes of a stream, and what follows them; `null` when nothing does. */
export async function beginningOf(
  bytes: AsyncIterable<Uint8Array>,
  bytesMin: number,
): Promise<{ head: Buffer; rest: AsyncIterator<Uint8Array> | null }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  for (let size = 0; size < bytesMin; ) {
    const { done, value } = await iterator.next();
    if (done === true) return { head: asBuffer(joined(parts)), rest: null };
    parts.push(value);
    size += value.length;
  }
  return { head: asBuffer(joined(parts)), rest: iterator };
}

/** A stream whose beginning was read already. */
export async function* following(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The same bytes in pieces of at least that many, but for the last. */
export async function* windowsOf(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  bytesMin: number,
): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size < bytesMin) continue;
    const whole = asBuffer(joined(parts));
    // While the caller works with it, its pieces are not in memory as well.
    parts = [];
    size = 0;
    yield whole;
  }
  if (size > 0) yield asBuffer(joined(parts));
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only instanceof Buffer ? only : Buffer.concat(parts);
}
