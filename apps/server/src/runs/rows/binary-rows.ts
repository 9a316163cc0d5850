import { fitted, microsecondsOf, writeBigint } from './binary-values.ts';

/** `PGCOPY\n`, a byte above 127, line ends that a careless transfer would change, then flags and the length of an extension, both none. */
const HEADER = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');
const END_OF_ROWS = -1;
const NULL_LENGTH = -1;
const TEXT_OID = 25;
/** Longest value other than a text, with the length before it. */
const VALUE_BYTES_MAX = 20;

/**
 * Rows in the binary form of PostgreSQL's COPY (its documentation, "COPY", File Formats), which needs no conversion to
 * digits and back: it saves the database a fifth of the work of copying a batch.
 *
 * Every row begins with how many columns it has; each value is its length in bytes (-1: null) and itself, big-endian.
 */
export class BinaryRows {
  #bytes = Buffer.allocUnsafe(16_384);
  #end = HEADER.copy(this.#bytes);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  begin(columns: number): this {
    this.#room(VALUE_BYTES_MAX);
    this.#end = this.#bytes.writeInt16BE(columns, this.#end);
    this.#count += 1;
    return this;
  }

  smallint(value: number): this {
    this.#length(2);
    this.#end = this.#bytes.writeInt16BE(value, this.#end);
    return this;
  }

  int(value: number): this {
    this.#length(4);
    this.#end = this.#bytes.writeInt32BE(value, this.#end);
    return this;
  }

  /** Adds a whole number, clamped to the range of a bigint. */
  bigint(value: number | null): this {
    if (value === null) return this.#null();
    this.#length(8);
    this.#end = writeBigint(this.#bytes, fitted(value), this.#end);
    return this;
  }

  boolean(value: boolean): this {
    this.#length(1);
    this.#end = this.#bytes.writeUInt8(value ? 1 : 0, this.#end);
    return this;
  }

  /** Adds an instant in milliseconds since 1970. */
  instant(atMs: number | null): this {
    return this.bigint(atMs === null ? null : microsecondsOf(atMs));
  }

  /** Adds a UUID, which has to be valid. */
  uuid(value: string | null): this {
    if (value === null) return this.#null();
    this.#length(16);
    this.#end += this.#bytes.write(value.replaceAll('-', ''), this.#end, 'hex');
    return this;
  }

  /** Adds a text or a value of an enumerated type. */
  text(value: string | null): this {
    if (value === null) return this.#null();
    const bytes = Buffer.byteLength(value);
    this.#room(VALUE_BYTES_MAX + bytes);
    this.#end = this.#bytes.writeInt32BE(bytes, this.#end);
    this.#end += this.#bytes.write(value, this.#end, 'utf8');
    return this;
  }

  json(value: unknown): this {
    if (value === null || value === undefined) return this.#null();
    // A jsonb begins with the version of its form, which is followed by the text.
    return this.text(`\u0001${JSON.stringify(value)}`);
  }

  texts(values: readonly string[]): this {
    const dimensions = values.length === 0 ? 0 : 1;
    const items = values.reduce((bytes, value) => bytes + 4 + Buffer.byteLength(value), 0);
    const heads = [12 + dimensions * 8 + items, dimensions, 0, TEXT_OID];
    if (dimensions === 1) heads.push(values.length, 1);
    this.#room(heads.length * 4);
    for (const head of heads) this.#end = this.#bytes.writeInt32BE(head, this.#end);
    for (const value of values) this.text(value);
    return this;
  }

  /** Returns all rows. No row can follow. */
  finish(): Buffer {
    this.#room(VALUE_BYTES_MAX);
    this.#end = this.#bytes.writeInt16BE(END_OF_ROWS, this.#end);
    return this.#bytes.subarray(0, this.#end);
  }

  #length(bytes: number): void {
    this.#room(VALUE_BYTES_MAX);
    this.#end = this.#bytes.writeInt32BE(bytes, this.#end);
  }

  #null(): this {
    this.#length(NULL_LENGTH);
    return this;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe((this.#end + bytes) * 2);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}
