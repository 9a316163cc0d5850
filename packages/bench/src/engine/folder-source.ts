import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '@keepwatch/engine/model/items';
import type { ProtectedObject } from '@keepwatch/engine/model/protected-object';
import type { ReadRequest, Source, SourceEvent } from '@keepwatch/engine/source/source';

/** Room for far more mails than a backup reads side by side: an earlier one was stored long before its bytes are written over. */
const MAIL_ROOM_BYTES = 32 * 2 ** 20;
/** More than the engine reads of a stream before it copies what it got. */
const PART_BYTES = 524_288;

/**
 * A tenant that is a folder: its mail is a mailbox, its files are a drive. The engine reads the same bytes as the others. Files are read into memory that
 * is used again, as other programs do, and in this thread: what is warm in memory is read sooner than another thread would be asked for it.
 */
export class FolderSource implements Source {
  readonly organizationId = 'bench';
  private readonly root: string;
  private readonly mailRoom = Buffer.allocUnsafeSlow(MAIL_ROOM_BYTES);
  private mailAt = 0;

  constructor(root: string) {
    this.root = root;
  }

  async *listObjects(): AsyncGenerator<ProtectedObject> {
    const object = { organizationId: this.organizationId, owner: null, address: null };
    yield { ...object, kind: 'mailbox', id: 'mail', name: 'Mail' };
    yield { ...object, kind: 'drive', id: 'files', name: 'Files' };
  }

  async *read({ object }: ReadRequest): AsyncGenerator<SourceEvent> {
    yield* object.id === 'mail' ? this.mail() : this.files();
    yield { type: 'cursor', scope: 'all', value: 'read' };
  }

  async close(): Promise<void> {}

  private async *mail(): AsyncGenerator<SourceEvent> {
    for (const folder of await readdir(join(this.root, 'mail'))) {
      yield { type: 'item', item: item(folder, 'mail-folder', null, 0), contents: [] };
      for (const name of await readdir(join(this.root, 'mail', folder))) {
        const path = join(this.root, 'mail', folder, name);
        const open = () => this.mailBytes(path);
        const properties = Buffer.from(JSON.stringify({ subject: name }));
        const contents = [
          { name: 'properties', bytes: properties },
          { name: 'mime', sizeBytes: null, open },
        ] as const;
        yield { type: 'item', item: item(name, 'message', folder, 0), contents };
      }
    }
  }

  private async *mailBytes(path: string): AsyncGenerator<Uint8Array> {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (this.mailAt + size > MAIL_ROOM_BYTES) this.mailAt = 0;
      const begin = this.mailAt;
      this.mailAt += readSync(file, this.mailRoom, begin, size, 0);
      yield this.mailRoom.subarray(begin, this.mailAt);
    } finally {
      closeSync(file);
    }
  }

  private async *files(): AsyncGenerator<SourceEvent> {
    for (const name of await readdir(join(this.root, 'files'))) {
      const path = join(this.root, 'files', name);
      const { size } = await stat(path);
      const open = () => partsOf(path);
      yield { type: 'item', item: item(name, 'file', null, size), contents: [{ name: 'file', sizeBytes: size, open }] };
    }
  }
}

/** In parts of the same memory. */
async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafeSlow(PART_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, part); read > 0; read = readSync(file, part)) yield part.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

function item(id: string, kind: Item['kind'], parentId: string | null, sizeBytes: number): Item {
  return { id, kind, parentId, name: id, sizeBytes, modifiedAt: null, details: {} };
}
