import { createCipheriv, createHash } from 'node:crypto';
import type { Item } from '@keepwatch/engine/model/items';
import type { ProtectedObject } from '@keepwatch/engine/model/protected-object';
import type { ReadRequest, Scan, Source, SourceEvent } from '@keepwatch/engine/source/source';

const MB = 1_000_000;
const FILE_MEGABYTES = 250;
const SEGMENT_MEGABYTES = 10;
/** Of so many segments one has bytes that no other has: what is stored stays small enough for the disk. */
const NEW_ONE_OF = 8;
const PART_BYTES = 65_536;
const MESSAGES_A_FOLDER = 10_000;

/** A tenant of any size that needs no disk: a drive of large files, or a mailbox of small messages. The same every time. */
export class MadeSource implements Source {
  readonly organizationId = 'bench';
  private readonly kind: 'drive' | 'mailbox';
  private readonly size: number;

  /** @param size megabytes of the drive, messages of the mailbox */
  constructor(kind: 'drive' | 'mailbox', size: number) {
    this.kind = kind;
    this.size = size;
  }

  async *listObjects(): AsyncGenerator<ProtectedObject> {
    const { organizationId, kind } = this;
    yield { organizationId, kind, id: kind, name: kind, owner: null, address: null };
  }

  async *read({ object }: ReadRequest): AsyncGenerator<SourceEvent> {
    const scan: Scan = { scope: 'all', kinds: ['folder', 'file', 'mail-folder', 'message'] };
    yield { type: 'scan-begin', scan, resumed: false };
    yield* object.kind === 'drive' ? this.files() : this.messages();
    yield { type: 'scan-end', scan };
    yield { type: 'cursor', scope: 'all', value: 'read' };
  }

  async close(): Promise<void> {}

  private *files(): Generator<SourceEvent> {
    for (let at = 0; at * FILE_MEGABYTES < this.size; at += 1) {
      const megabytes = Math.min(FILE_MEGABYTES, this.size - at * FILE_MEGABYTES);
      const sizeBytes = megabytes * MB;
      const open = () => bytesOfFile(at, megabytes);
      const contents = [{ name: 'file', sizeBytes, open }] as const;
      yield { type: 'item', item: item(`file ${at}`, 'file', null, sizeBytes), contents };
    }
  }

  private *messages(): Generator<SourceEvent> {
    let folder = '';
    for (let at = 0; at < this.size; at += 1) {
      if (at % MESSAGES_A_FOLDER === 0) {
        folder = `folder ${at / MESSAGES_A_FOLDER}`;
        yield { type: 'item', item: item(folder, 'mail-folder', null, 0), contents: [] };
      }
      // As long as those of the mail server.
      const id = createHash('sha512').update(`message ${at}`).digest('base64url').repeat(2).slice(0, 152);
      const properties = Buffer.from(
        JSON.stringify({ id, subject: `Message ${at}`, importance: 'normal', isRead: true }),
      );
      const mime = Buffer.from(
        `Subject: Message ${at}\r\nFrom: a@contoso.example\r\nTo: b@contoso.example\r\n\r\n${id}\r\n`,
      );
      const contents = [
        { name: 'properties', bytes: properties },
        { name: 'mime', bytes: mime },
      ] as const;
      yield { type: 'item', item: item(id, 'message', folder, mime.length), contents };
    }
  }
}

/** Bytes that do not shrink, in segments of which most are in other files as well. */
function* pieces(seed: number, megabytes: number): Generator<Uint8Array> {
  for (let segment = 0; segment * SEGMENT_MEGABYTES < megabytes; segment += 1) {
    const isNew = segment % NEW_ONE_OF === 0;
    const name = isNew ? `file ${seed}, segment ${segment}` : `segment ${segment}`;
    const cipher = createCipheriv('aes-128-ctr', createHash('md5').update(name).digest(), Buffer.alloc(16));
    const zeros = Buffer.alloc(PART_BYTES);
    let left = Math.min(SEGMENT_MEGABYTES, megabytes - segment * SEGMENT_MEGABYTES) * MB;
    for (; left > 0; left -= PART_BYTES) yield cipher.update(zeros.subarray(0, Math.min(left, PART_BYTES)));
  }
}

async function* bytesOfFile(seed: number, megabytes: number): AsyncGenerator<Uint8Array> {
  yield* pieces(seed, megabytes);
}

function item(id: string, kind: Item['kind'], parentId: string | null, sizeBytes: number): Item {
  return { id, kind, parentId, name: id.slice(0, 40), sizeBytes, modifiedAt: new Date(0), details: {} };
}
