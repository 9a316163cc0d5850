import type { GroupMember } from './pack-builder.ts';

/** Small chunks are compressed and encrypted together, in groups of up to this size. */
export const GROUP_BYTES = 262_144;
/** Longer ones are stored alone: a group has room for at least two. */
export const GROUPED_BYTES_MAX = GROUP_BYTES / 2;
const SAMPLE_BYTES = 256;
/** Of so many bytes that are random 162 are different on average, of text 60. */
const DENSE_VALUES_MIN = 128;

/** Small chunks that wait for being packed together. Their bytes are copied. */
export class ChunkGroup {
  members: GroupMember[] = [];
  private readonly memory = Buffer.allocUnsafeSlow(GROUP_BYTES);
  private size = 0;

  fits(plain: Buffer): boolean {
    return this.size + plain.length <= GROUP_BYTES;
  }

  add(name: Buffer, plain: Buffer): void {
    this.memory.set(plain, this.size);
    this.size += plain.length;
    this.members.push({ name, plainBytes: plain.length });
  }

  /** All members back to back, until the next one is added. */
  get plain(): Buffer {
    return this.memory.subarray(0, this.size);
  }

  clear(): void {
    this.members = [];
    this.size = 0;
  }
}

/** Which values the sample at hand has. */
const seen = new Uint8Array(256);

/** Whether a small chunk looks as if it would not shrink: pictures and archives spoil the compression of text beside them. */
export function looksDense(plain: Buffer): boolean {
  if (plain.length < SAMPLE_BYTES) return false;
  const begin = (plain.length - SAMPLE_BYTES) >> 1;
  seen.fill(0);
  // Every small chunk is asked: a set of its values would take as long as naming it.
  for (let at = begin; at < begin + SAMPLE_BYTES; at += 1) seen[plain[at] ?? 0] = 1;
  return seen.reduce((values, isSeen) => values + isSeen, 0) >= DENSE_VALUES_MIN;
}
