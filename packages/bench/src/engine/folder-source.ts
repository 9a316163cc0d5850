import { createReadStream, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '@keepwatch/engine/model/items';
import type { ProtectedObject } from '@keepwatch/engine/model/protected-object';
import type { ReadRequest, Source, SourceEvent } from '@keepwatch/engine/source/source';

/** A tenant that is a folder: its mail is a mailbox, its files are a drive. The engine reads the same bytes as the others. */
export class FolderSource implements Source {
  readonly organizationId = 'bench';
  private readonly root: string;

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
        const open = async function* () {
          // What is warm in memory is read sooner than another thread would be asked for it.
          yield readFileSync(path);
        };
        const properties = Buffer.from(JSON.stringify({ subject: name }));
        const contents = [
          { name: 'properties', bytes: properties },
          { name: 'mime', sizeBytes: null, open },
        ] as const;
        yield { type: 'item', item: item(name, 'message', folder, 0), contents };
      }
    }
  }

  private async *files(): AsyncGenerator<SourceEvent> {
    for (const name of await readdir(join(this.root, 'files'))) {
      const path = join(this.root, 'files', name);
      const { size } = await stat(path);
      const open = () => createReadStream(path, { highWaterMark: 262_144 });
      yield { type: 'item', item: item(name, 'file', null, size), contents: [{ name: 'file', sizeBytes: size, open }] };
    }
  }
}

function item(id: string, kind: Item['kind'], parentId: string | null, sizeBytes: number): Item {
  return { id, kind, parentId, name: id, sizeBytes, modifiedAt: null, details: {} };
}
