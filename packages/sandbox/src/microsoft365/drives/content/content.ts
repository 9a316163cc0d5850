import type { Readable } from 'node:stream';

/** The bytes of a file or of one of its versions. */
export interface Content {
  /** Bytes. */
  readonly size: number;
  /** Base64. */
  readonly quickXorHash: string;
  /** Upper-case hexadecimal; only of contents small enough to be hashed in passing. */
  readonly sha256Hash: string | undefined;
  /** The bytes from `start` up to but not including `end`. */
  open(start: number, end: number): Readable;
}
