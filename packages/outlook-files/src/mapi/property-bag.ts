import { fileTime } from './filetime.ts';
import type { NamedProperty } from './named-properties.ts';
import { TYPE } from './property-types.ts';
import { RecentlyMade } from './recently-made.ts';

/** An id below 0x8000, or a property known by its name only. */
export type PropertyKey = number | NamedProperty;

/** A property in the form of both file formats, except multiple strings, which they pack differently. */
export interface Property {
  key: PropertyKey;
  type: number;
  /** The value of types of up to four bytes; 0 for others. */
  number: number;
  /** The value of larger types, little-endian; strings as UTF-16 without an end mark. */
  bytes: Buffer;
  /** The values of a multiple string, each as `bytes` would be. */
  parts?: Buffer[];
}

/** A lone surrogate would not survive in other readers, and a NUL would end the text in most of them. */
const encoded = new RecentlyMade((text) => Buffer.from(text.replaceAll('\0', '').toWellFormed(), 'utf16le'));

function utf16(text: string): Buffer {
  return encoded.of(text);
}

const EMPTY = Buffer.alloc(0);

/** The properties of an object that is being built. Setting `undefined` sets nothing; the last value of a key wins. */
export class PropertyBag {
  readonly #properties = new Map<PropertyKey, Property>();

  get size(): number {
    return this.#properties.size;
  }

  [Symbol.iterator](): Iterator<Property> {
    return this.#properties.values();
  }

  get(key: PropertyKey): Property | undefined {
    return this.#properties.get(key);
  }

  text(key: PropertyKey, value: string | undefined): this {
    return value ? this.#set(key, TYPE.string, utf16(value)) : this;
  }

  /** A string that is there even where it is empty. */
  textOrEmpty(key: PropertyKey, value: string | undefined): this {
    return this.#set(key, TYPE.string, utf16(value ?? ''));
  }

  texts(key: PropertyKey, values: readonly string[] | undefined): this {
    if (values === undefined || values.length === 0) {
      return this;
    }
    this.#properties.set(key, { key, type: TYPE.multipleString, number: 0, bytes: EMPTY, parts: values.map(utf16) });
    return this;
  }

  integer(key: PropertyKey, value: number | undefined): this {
    return value === undefined ? this : this.#setNumber(key, TYPE.integer32, value >>> 0);
  }

  short(key: PropertyKey, value: number | undefined): this {
    return value === undefined ? this : this.#setNumber(key, TYPE.integer16, value & 0xffff);
  }

  integers(key: PropertyKey, values: readonly number[]): this {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, index) => {
      bytes.writeInt32LE(value | 0, index * 4);
    });
    return this.#set(key, TYPE.multipleInteger32, bytes);
  }

  floating(key: PropertyKey, value: number | undefined): this {
    if (value === undefined) {
      return this;
    }
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeDoubleLE(value);
    return this.#set(key, TYPE.floating64, bytes);
  }

  flag(key: PropertyKey, value: boolean | undefined): this {
    return value === undefined ? this : this.#setNumber(key, TYPE.boolean, value ? 1 : 0);
  }

  time(key: PropertyKey, value: Date | undefined): this {
    if (value === undefined || Number.isNaN(value.getTime())) {
      return this;
    }
    const bytes = Buffer.allocUnsafe(8);
    const { high, low } = fileTime(value);
    bytes.writeUInt32LE(low, 0);
    bytes.writeUInt32LE(high, 4);
    return this.#set(key, TYPE.time, bytes);
  }

  binary(key: PropertyKey, value: Uint8Array | undefined): this {
    return value === undefined || value.length === 0
      ? this
      : this.#set(key, TYPE.binary, Buffer.from(value.buffer, value.byteOffset, value.length));
  }

  #set(key: PropertyKey, type: number, bytes: Buffer): this {
    this.#properties.set(key, { key, type, number: 0, bytes });
    return this;
  }

  #setNumber(key: PropertyKey, type: number, number: number): this {
    this.#properties.set(key, { key, type, number, bytes: EMPTY });
    return this;
  }
}
