import { EngineError } from '../../../model/engine-error.ts';
import { type JsonObject, objectOf } from '../json.ts';

/** What a reply may say beside the bytes it carries; more is no answer to what was asked. */
const MOST_BESIDE = 256 * 1024;
/** Far more than a mailbox takes of one item, in any form: 150 MB. https://learn.microsoft.com/office365/servicedescriptions/exchange-online-service-description/exchange-online-limits */
const MOST_BYTES = 512 * 2 ** 20;

/**
 * Extracts the bytes of one item from a reply of `exportItems` as it comes: `{"value":[{"itemId":…,"data":"<base64>"}]}`. The text is never
 * buffered, however large the item.
 */
export class ExportReply {
  /** The text of the reply without the bytes. */
  private beside = '';
  private state: 'outside' | 'text' | 'data' = 'outside';
  /** Base64 that waits for the rest of its group of four, and the beginning of an escape. */
  private rest = '';
  private sizeBytes = 0;
  private readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** @returns the item's bytes in a piece of the reply @throws EngineError for a reply that is none, or without an end */
  push(piece: Uint8Array): Buffer[] {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    const found: Buffer[] = [];
    for (let position = 0; position < text.length; )
      position = this.state === 'data' ? this.readData(text, position, found) : this.skip(text, position);
    return found;
  }

  /** @returns the entry of the item, without its bytes @throws EngineError for a reply that broke off */
  end(): JsonObject {
    try {
      const { value } = objectOf(JSON.parse(Buffer.from(this.beside, 'latin1').toString()));
      return objectOf(Array.isArray(value) ? value[0] : undefined);
    } catch (cause) {
      throw new EngineError('source-refused', `The export of ‘${this.name}’ broke off. It is tried again.`, { cause });
    }
  }

  /** Text beside the bytes, up to the end of a string or to where the bytes begin. */
  private skip(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const until = quote < 0 ? text.length : quote + 1;
    this.beside += text.slice(from, until);
    if (this.beside.length > MOST_BESIDE) throw this.tooLarge(`more than ${MOST_BESIDE / 1024} KB beside its bytes`);
    if (quote < 0) return until;
    if (this.state === 'text') this.state = isEscaped(this.beside) ? 'text' : 'outside';
    else this.state = /"data"\s*:\s*"$/.test(this.beside) ? 'data' : 'text';
    return until;
  }

  private readData(text: string, from: number, found: Buffer[]): number {
    const quote = text.indexOf('"', from);
    const whole = unescaped(this.rest + text.slice(from, quote < 0 ? text.length : quote));
    const usable = quote < 0 ? whole.plain.length - (whole.plain.length % 4) : whole.plain.length;
    const bytes = Buffer.from(whole.plain.slice(0, usable), 'base64');
    this.rest = whole.plain.slice(usable) + whole.escape;
    this.sizeBytes += bytes.length;
    if (this.sizeBytes > MOST_BYTES) throw this.tooLarge(`more than ${MOST_BYTES / 2 ** 20} MB`);
    if (bytes.length > 0) found.push(bytes);
    if (quote < 0) return text.length;
    this.state = 'outside';
    this.beside += '"';
    return quote + 1;
  }

  private tooLarge(what: string): EngineError {
    const message = `Microsoft 365 gave out ${what} as the export of ‘${this.name}’, which no item of a mailbox is. It is refused; the next run stores the item without its export.`;
    return new EngineError('source-refused', message);
  }
}

/** Whether the quote at the end of a text is escaped, and so a part of its string. */
function isEscaped(text: string): boolean {
  const before = /\\*"$/.exec(text)?.[0].length ?? 1;
  return before % 2 === 0;
}

/** Servers may write `/` and `+` as escapes. `escape` is the beginning of one whose end is still to come. */
function unescaped(text: string): { plain: string; escape: string } {
  if (!text.includes('\\')) return { plain: text, escape: '' };
  const cut = /\\(?:u[0-9a-f]{0,3})?$/i.exec(text)?.index ?? text.length;
  const plain = text
    .slice(0, cut)
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '');
  return { plain, escape: text.slice(cut) };
}
