/** Marks in the text the place of bytes, which follow it. */
interface Place {
  at: number;
  length: number;
}

const isPlace = (value: unknown): value is { $bytes: Place } =>
  typeof value === 'object' && value !== null && '$bytes' in value;

/**
 * A value of plain data and buffers as bytes: its text, and all buffers as they are. Equal values give equal bytes, which cannot be said
 * of V8's serializer: how it writes a string depends on how the engine created it.
 */
export function toBytes(value: unknown): Buffer {
  const buffers: Buffer[] = [];
  let at = 0;
  const text = Buffer.from(JSON.stringify(withPlaces(value)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text, ...buffers]);

  // Not by a replacer: that sees a buffer as what its `toJSON` made of it.
  function withPlaces(one: unknown): unknown {
    if (one instanceof Uint8Array) {
      const place: Place = { at, length: one.length };
      buffers.push(Buffer.from(one.buffer, one.byteOffset, one.length));
      at += one.length;
      return { $bytes: place };
    }
    if (Array.isArray(one)) return one.map(withPlaces);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, withPlaces(each)]));
  }
}

/** The value that `toBytes` wrote. @throws SyntaxError for anything else */
export function fromBytes(bytes: Buffer): unknown {
  const textEnd = 4 + bytes.readUInt32LE(0);
  return JSON.parse(bytes.toString('utf8', 4, textEnd), (_, value: unknown) => {
    if (!isPlace(value)) return value;
    const start = textEnd + value.$bytes.at;
    return bytes.subarray(start, start + value.$bytes.length);
  });
}
