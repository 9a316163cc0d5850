/** A folder of a compound file. */
export interface Storage {
  name: string;
  classId?: Buffer;
  children: (Storage | Stream)[];
}

/** A file of a compound file. Its length must be known before its bytes are. */
export interface Stream {
  name: string;
  sizeBytes: number;
  content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export function isStream(entry: Storage | Stream): entry is Stream {
  return 'content' in entry;
}

export function streamOf(name: string, bytes: Buffer): Stream {
  return { name, sizeBytes: bytes.length, content: () => [bytes] };
}
