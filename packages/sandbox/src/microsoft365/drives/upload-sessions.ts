import { GraphError } from '../wire/graph-error.ts';
import type { ContentStore, ContentWriter } from './content/content-store.ts';
import type { ConflictBehavior, Drive } from './drive.ts';
import type { IdentitySet } from './identity-set.ts';
import type { DriveItem } from './items/drive-item.ts';
import type { NewItem } from './items/new-item.ts';

/** Where the content of a session goes: onto an item, or under a name into a folder. */
export interface UploadTarget {
  drive: Drive;
  item?: DriveItem;
  parent: DriveItem;
  name: string;
  conflict: ConflictBehavior;
  by: IdentitySet;
  fileSystem?: NewItem['fileSystem'];
  description?: string | undefined;
  /** Whether the file comes into being by a closing POST alone. */
  deferCommit: boolean;
}

interface UploadSession extends UploadTarget {
  id: string;
  writer: ContentWriter;
  total: number | undefined;
  expiresMs: number;
}

/** Pieces must be a multiple of this, the last one excepted, and smaller than 60 MiB. */
const pieceUnit = 320 * 1024;
const pieceLimit = 60 << 20;
const lifetimeMs = 3 * 86_400_000;

const sessionNotFound = () =>
  new GraphError(404, 'itemNotFound', 'The upload session was not found: it ended, expired or never was.');

/** Uploads in progress, by the secret part of their URLs. */
export class UploadSessions {
  private readonly sessions = new Map<string, UploadSession>();
  private readonly contents: ContentStore;

  constructor(contents: ContentStore) {
    this.contents = contents;
  }

  open(id: string, target: UploadTarget, nowMs: number): { expiresMs: number } {
    const expiresMs = nowMs + lifetimeMs;
    this.sessions.set(id, { ...target, id, writer: this.contents.write(), total: undefined, expiresMs });
    return { expiresMs };
  }

  /** How far a session is. @throws GraphError 404 for one that is over or expired */
  state(id: string, nowMs: number): { expiresMs: number; nextStart: number } {
    const { expiresMs, writer } = this.session(id, nowMs);
    return { expiresMs, nextStart: writer.size };
  }

  /**
   * Takes the next piece.
   * @param range the header Content-Range
   * @returns the finished item, and whether it is new; `undefined` while more is to come
   * @throws GraphError 416 for a piece that was there already or leaves a gap, 400 for a bad size or header
   */
  put(id: string, range: string | undefined, bytes: Buffer, nowMs: number): Finished | undefined {
    const session = this.session(id, nowMs);
    const [, first, last, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/.exec(range ?? '') ?? []).map(Number);
    if (first === undefined || last === undefined || total === undefined || last - first + 1 !== bytes.length) {
      throw new GraphError(
        400,
        'invalidRequest',
        'The Content-Range header is missing, malformed or of another length.',
      );
    }
    session.total ??= total;
    checkPiece(session.total, { first, last, total });
    if (first !== session.writer.size) {
      throw new GraphError(416, 'invalidRange', 'The uploaded fragment is not the one that is expected next.');
    }
    session.writer.append(bytes);
    if (session.writer.size < total || session.deferCommit) return undefined;
    return this.commit(id, nowMs);
  }

  /** Makes the file of what was uploaded. The session stays when that is refused, so that it can be tried again. */
  commit(id: string, nowMs: number): Finished {
    const session = this.session(id, nowMs);
    if (session.writer.size !== session.total) {
      throw new GraphError(400, 'invalidRequest', 'The upload session cannot be committed: bytes are missing.');
    }
    const { drive, item, parent, name, conflict, fileSystem, description } = session;
    if (!item && conflict === 'fail' && drive.child(parent, name)) {
      throw new GraphError(409, 'nameAlreadyExists', 'Another file exists with the same name as the uploaded session.');
    }
    const content = session.writer.finish();
    this.sessions.delete(id);
    const edit = { by: session.by, atMs: nowMs };
    if (item) {
      drive.write(item, content, edit, fileSystem);
      return { drive, item, isNew: false };
    }
    const isNew = conflict === 'rename' || drive.child(parent, name) === undefined;
    const made = drive.add(parent, { kind: 'file', name, content, fileSystem, description }, edit, conflict);
    return { drive, item: made, isNew };
  }

  cancel(id: string, nowMs: number): void {
    this.session(id, nowMs).writer.discard();
    this.sessions.delete(id);
  }

  private session(id: string, nowMs: number): UploadSession {
    const session = this.sessions.get(id);
    if (!session) throw sessionNotFound();
    if (session.expiresMs > nowMs) return session;
    session.writer.discard();
    this.sessions.delete(id);
    throw sessionNotFound();
  }
}

export interface Finished {
  drive: Drive;
  item: DriveItem;
  isNew: boolean;
}

function checkPiece(known: number, { first, last, total }: { first: number; last: number; total: number }): void {
  const length = last - first + 1;
  if (known !== total)
    throw new GraphError(400, 'invalidRequest', 'The total size differs from the one declared before.');
  if (length > pieceLimit) throw new GraphError(413, 'invalidRequest', 'A fragment must be smaller than 60 MiB.');
  const isLast = last + 1 === total;
  if (last >= total || (!isLast && length % pieceUnit !== 0)) {
    throw new GraphError(400, 'invalidRequest', 'Each fragment but the last must be a multiple of 320 KiB.');
  }
}
