const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the records of a CSV text that comes in pieces (RFC 4180, UTF-8). */
export interface CsvRecords {
  push(piece: Uint8Array): void;
  /** Ended records, the heading among them. */
  count(): number;
  /** Whether the text could end here: something has come, and its last record is ended. */
  isAtEnd(): boolean;
}

/**
 * A line feed ends a record, except between quotes. A quote within quotes is written twice and so changes nothing. Bytes
 * will do: in UTF-8 neither sign is part of another one.
 */
export function createCsvRecords(): CsvRecords {
  let count = 0;
  let isQuoted = false;
  let isAtEnd = false;
  return {
    push(piece) {
      for (const byte of piece) {
        if (byte === QUOTE) isQuoted = !isQuoted;
        isAtEnd = byte === LINE_FEED && !isQuoted;
        if (isAtEnd) count += 1;
      }
    },
    count: () => count,
    isAtEnd: () => isAtEnd,
  };
}
