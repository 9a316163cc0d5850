import { zonedText } from '@keepwatch/contract/backup-days/zoned-text';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A place for one file. */
export interface FileTarget {
  name: string;
  /**
   * Opens the bytes and writes them as they come. Where opening or the stream fails no file is left, and the failure is
   * thrown as it is.
   */
  save(open: () => Promise<Bytes>): Promise<void>;
}

interface FileOptions {
  /** `DailyChecks-20260131-140509.csv`. */
  name: string;
  /** `text/csv`. */
  type: string;
}

/** The part of the File System Access API that only Chromium has so far, and the library of types has not. */
interface PickedFile extends FileSystemFileHandle {
  remove?: () => Promise<void>;
}
declare global {
  interface Window {
    showSaveFilePicker?: (options: { suggestedName: string }) => Promise<PickedFile>;
  }
}

/**
 * A place for a large file, where the browser has one: the file that the person picks, into which bytes go as they
 * come. `null` if the person picks none. Elsewhere as `downloads`. To be called from a click: browsers ask for that.
 */
export async function pickFile(options: FileOptions): Promise<FileTarget | null> {
  if (window.showSaveFilePicker === undefined) return downloads(options);
  try {
    return pickedFile(await window.showSaveFilePicker({ suggestedName: options.name }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // An administrator can forbid the file picker on this page; a download still works.
    return downloads(options);
  }
}

function pickedFile(file: PickedFile): FileTarget {
  return {
    name: file.name,
    async save(open) {
      // The written bytes reach the file when the writer is closed, and never if it is aborted.
      const writer = await file.createWritable();
      try {
        const bytes = await open();
        await bytes.pipeTo(writer);
      } catch (error) {
        // Picking has made an empty file. Where it cannot be removed it stays empty, which looks like no export.
        await writer.abort().catch(() => {});
        await file.remove?.().catch(() => {});
        throw error;
      }
    },
  };
}

/** So much is gathered before it is handed over to the browser. */
const PART_BYTES = 1024 * 1024;

/**
 * Uses the browser's downloads. Bytes are handed over in parts as they arrive: a blob is outside the page's memory, on
 * disk if it is large. The file is offered when it is complete.
 */
export function downloads({ name, type }: FileOptions): FileTarget {
  return {
    name,
    async save(open) {
      const parts: Blob[] = [];
      let pieces: Uint8Array<ArrayBuffer>[] = [];
      let waitingBytes = 0;
      const handOver = () => {
        parts.push(new Blob(pieces));
        pieces = [];
        waitingBytes = 0;
      };
      const bytes = await open();
      const gather = (piece: Uint8Array<ArrayBuffer>) => {
        pieces.push(piece);
        waitingBytes += piece.length;
        if (waitingBytes >= PART_BYTES) handOver();
      };
      await bytes.pipeTo(new WritableStream({ write: gather, close: handOver }));
      offer(name, new Blob(parts, { type }));
    },
  };
}

function offer(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** `DailyChecks` at a moment becomes `DailyChecks-20260131-140509.csv` (exports are named with a timestamp), by the clocks of a zone. */
export function csvFileName(name: string, timeZone: string, at: Date): string {
  const stamp = zonedText(timeZone, at.toISOString()).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${name}-${stamp}.csv`;
}
