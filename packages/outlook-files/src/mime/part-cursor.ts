import type { MimePart } from './mime-part.ts';
import type { MimeSource } from './mime-parts.ts';
import { readParts } from './mime-parts.ts';

/**
 * Reads parts of a message again when they are needed. Continues where it stopped, so that a thousand attachments read in order cost
 * one more pass over the message and not a thousand.
 */
export class PartCursor {
  readonly #source: MimeSource;
  #parts: AsyncGenerator<MimePart> | undefined;
  #at = -1;
  #last = -1;

  constructor(source: MimeSource) {
    this.#source = source;
  }

  /** Announces that a part will be asked for; after the last one the source is closed. */
  register(index: number): () => AsyncGenerator<Buffer> {
    this.#last = Math.max(this.#last, index);
    return () => this.#content(index);
  }

  async *#content(index: number): AsyncGenerator<Buffer> {
    if (this.#parts === undefined || index <= this.#at) {
      await this.#close();
      this.#parts = readParts(this.#source);
    }
    const parts = this.#parts;
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      if (next.value.index === index) {
        this.#at = index;
        yield* this.#whole(next.value);
        break;
      }
    }
    if (index >= this.#last) {
      await this.#close();
    }
  }

  /** A reader that stops half way closes the cursor: the next part is read from the start. */
  async *#whole(part: MimePart): AsyncGenerator<Buffer> {
    let isRead = false;
    try {
      yield* part.content;
      isRead = true;
    } finally {
      if (!isRead) {
        await this.#close();
      }
    }
  }

  async #close(): Promise<void> {
    await this.#parts?.return(undefined);
    this.#parts = undefined;
    this.#at = -1;
  }
}
