import { EngineError, endsTheObject } from '../../../model/engine-error.ts';
import type { ContentName, ItemVersion } from '../../../model/items.ts';
import type { ProtectedObject } from '../../../model/protected-object.ts';
import { type Comparison, type Hashes, notCompared, type Originals } from '../../originals.ts';
import type { GraphConnection } from '../connection.ts';
import { isOfGroup } from '../group/group-owner.ts';
import { isGone } from '../read-items.ts';
import { compareFile } from './compare-file.ts';
import { compareMessage } from './compare-message.ts';
import { hashesOf } from './hashes.ts';

/**
 * What a tenant has of items: files of drives and messages of persons' mailboxes. Of other kinds Graph gives nothing that is the same bytes each time.
 * @param connect called when the first item is compared. What it throws is why none is
 */
export function openGraphOriginals(connect: () => Promise<GraphConnection>, signal: AbortSignal): Originals {
  return new GraphOriginals(connect, signal);
}

class GraphOriginals implements Originals {
  readonly hashesOf = hashesOf;
  private readonly connect: () => Promise<GraphConnection>;
  private readonly signal: AbortSignal;
  private connection: GraphConnection | null = null;
  /** Why the tenant is not asked any more. */
  private ended: string | null = null;

  constructor(connect: () => Promise<GraphConnection>, signal: AbortSignal) {
    this.connect = connect;
    this.signal = signal;
  }

  async compare(
    object: ProtectedObject,
    version: ItemVersion,
    restored: ReadonlyMap<ContentName, Hashes>,
  ): Promise<Comparison> {
    const compareKind = comparatorOf(object, version);
    if (compareKind === null) return notCompared('Only files and messages of mailboxes are compared.');
    if (this.ended !== null) return notCompared(this.ended);
    try {
      this.connection ??= await this.connect();
      return await compareKind({ connection: this.connection, signal: this.signal, object, version, restored });
    } catch (error) {
      this.signal.throwIfAborted();
      return this.reasonOf(error);
    }
  }

  private reasonOf(error: unknown): Comparison {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.connection === null || (error instanceof EngineError && endsTheObject(error))) this.ended = reason;
    else if (isGone(error)) return { outcome: 'gone', reason: null };
    return notCompared(reason);
  }
}

function comparatorOf(object: ProtectedObject, version: ItemVersion) {
  if (object.kind === 'drive' && version.kind === 'file') return compareFile;
  // The text of a group's conversations is put together by this program.
  return object.kind === 'mailbox' && !isOfGroup(object) && version.kind === 'message' ? compareMessage : null;
}
