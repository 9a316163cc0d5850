/** Property types, [MS-OXCDATA] 2.11.1. */
export const TYPE = {
  integer16: 0x0002,
  integer32: 0x0003,
  floating64: 0x0005,
  boolean: 0x000b,
  object: 0x000d,
  integer64: 0x0014,
  string: 0x001f,
  time: 0x0040,
  guid: 0x0048,
  binary: 0x0102,
  multipleInteger32: 0x1003,
  multipleString: 0x101f,
} as const;

/** Bytes of a value of a fixed type, among values one after the other; 0 for types of any length. */
export function fixedBytes(type: number): number {
  switch (type) {
    case TYPE.boolean:
      return 1;
    case TYPE.integer16:
      return 2;
    case TYPE.integer32:
      return 4;
    case TYPE.floating64:
    case TYPE.integer64:
    case TYPE.time:
      return 8;
    default:
      return 0;
  }
}
