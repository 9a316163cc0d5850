import { EngineError, endsTheObject } from '../../model/engine-error.ts';
import type { Item } from '../../model/items.ts';
import type { LostItem } from '../../model/outcome.ts';
import type { ObjectKind } from '../../model/protected-object.ts';
import type { ReadRequest, SourceEvent } from '../source.ts';
import type { GraphConnection } from './connection.ts';
import { GraphError } from './graph-error.ts';
import { isOfGroup } from './group/group-owner.ts';
import { path, SINGLE } from './mailbox/mailbox-paths.ts';
import type { BatchOptions, BatchReply } from './requests/batch.ts';
import type { GraphCall } from './requests/requests.ts';

/** An entity, by the call that asks for itself and for nothing in it. */
export type Entity = Pick<GraphCall, 'path' | 'headers'>;

/** What contains items, with the noun before its name. */
export interface Container extends Entity {
  noun: string;
  id: string;
}

/** Where an item is: its container, and itself. */
export interface ItemPlace {
  container: Container;
  entity: Entity;
}

/** Items of a container that fail one after the other, with none read between them, until it is given up. */
const IN_A_ROW_MAX = 20;

/** A call that every object of a kind answers, by the id of the object. */
const OBJECT_PROBES: Readonly<Record<ObjectKind, (id: string) => string>> = {
  mailbox: (id) => `${path`/users/${id}/mailFolders/inbox`}?$select=id`,
  archive: (id) => path`/users/${id}/settings/exchange`,
  drive: (id) => `${path`/drives/${id}`}?$select=id`,
  site: (id) => `${path`/sites/${id}`}?$select=id`,
  team: (id) => `${path`/teams/${id}`}?$select=id`,
  chats: (id) => `${path`/users/${id}/chats`}?$top=1`,
  planner: (id) => path`/groups/${id}/planner/plans`,
};

/**
 * Decides whose a failure is, in the reading of one object. A failure at an item's path is the item's alone, unless its container fails too
 * when it is asked for itself; and a failure of a container is the container's alone, unless the object fails too. Without this, one
 * item that is always refused would stop all items after it from ever being read.
 */
export class ReadingFailures {
  private readonly connection: GraphConnection;
  private readonly request: ReadRequest;
  private readonly inARow = new Map<string, number>();
  private readonly givenUp = new Map<string, unknown>();
  /** Probes under way: those who fail together share one. */
  private readonly asking = new Map<string, Promise<unknown>>();

  constructor(connection: GraphConnection, request: ReadRequest) {
    this.connection = connection;
    this.request = request;
  }

  /**
   * What an item's failure comes to: `not-found` only of an item that is gone itself, and else an error of the item alone.
   * @throws what concerns the whole object
   */
  async ofItem(error: unknown, { container, entity }: ItemPlace): Promise<Error> {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'not-found') return (await this.isGone(entity)) ? error : ofItsPart(error);
    if (!endsTheObject(error)) return error;
    if (!isDoubtful(error)) throw error;
    const count = (this.inARow.get(container.path) ?? 0) + 1;
    this.inARow.set(container.path, count);
    if (count > IN_A_ROW_MAX || (await this.failureOf(container)) !== null) await this.giveUp(container, error);
    return ofItAlone(error);
  }

  /** The events of an item that could not be read: none of one that is gone, which the next list shows. */
  async eventsOf({ id, kind, name, parentId }: Item, error: unknown, place: ItemPlace): Promise<SourceEvent[]> {
    const failure = await this.ofItem(error, place);
    if (isNotFound(failure)) return [];
    return [{ type: 'lost', item: { id, kind, name, parentId, reason: failure.message } }];
  }

  /** The event of an item that was lost before and failed again: it is gone, or lost once more. */
  async stillLost(item: LostItem, error: unknown, place: ItemPlace): Promise<SourceEvent> {
    const failure = await this.ofItem(error, place);
    return isNotFound(failure)
      ? { type: 'removed', id: item.id }
      : { type: 'lost', item: { ...item, reason: failure.message } };
  }

  /** An item of the container was read. */
  succeeded({ path: of }: Entity): void {
    this.inARow.delete(of);
  }

  /** The same bytes, whose failure is one of their item. */
  async *bytes(bytes: AsyncIterable<Uint8Array>, place: ItemPlace): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      this.request.signal.throwIfAborted();
      throw await this.ofItem(error, place);
    }
    this.succeeded(place.container);
  }

  /** Whether an entity is gone: it answers 404 when it is asked for itself. */
  async isGone(entity: Entity): Promise<boolean> {
    const failure = await this.failureOf(entity);
    return failure instanceof GraphError && failure.status === 404;
  }

  /** Whether a container is gone, and the object it was in is not. */
  async isContainerGone(container: Entity): Promise<boolean> {
    return (await this.isGone(container)) && (await this.failureOf(this.objectProbe())) === null;
  }

  /** Why a container is not read on; `null` for one that is. */
  whyGivenUp({ path: of }: Entity): unknown {
    return this.givenUp.get(of) ?? null;
  }

  /** Reports that a container was not read to its end. @throws what concerns the whole object */
  async containerFailed({ noun, id }: Container, error: unknown): Promise<SourceEvent> {
    const name = (await this.request.current([id])).get(id)?.name ?? id;
    return this.partFailed(`the ${noun} ‘${name}’`, error);
  }

  /**
   * Reports that a part of the object was not read to its end. Other parts are.
   * @param what of the object: `the folder ‘Inbox’`
   * @throws what concerns the whole object
   */
  async partFailed(what: string, error: unknown): Promise<SourceEvent> {
    await this.throwIfOfObject(error);
    const reason = error instanceof Error ? error.message : String(error);
    return {
      type: 'failure',
      message: `Of ${this.request.object.name} ${what} could not be read to the end: ${reason}`,
    };
  }

  private async giveUp({ path: of }: Entity, error: EngineError): Promise<void> {
    await this.throwIfOfObject(error);
    this.givenUp.set(of, error);
  }

  private async throwIfOfObject(error: unknown): Promise<void> {
    if (!(error instanceof EngineError) || (endsTheObject(error) && !isDoubtful(error))) throw error;
    // A permission may cover other parts of the object.
    if (error.code === 'source-unreachable' && (await this.failureOf(this.objectProbe())) !== null) throw error;
  }

  private objectProbe(): Entity {
    const { object } = this.request;
    const isConversations = object.kind === 'mailbox' && isOfGroup(object);
    const call = isConversations ? path`/groups/${object.id}` : OBJECT_PROBES[object.kind](object.id);
    return { path: call, headers: SINGLE };
  }

  /** What an entity answers instead of itself; `null` for one that is there. */
  private failureOf(entity: Entity): Promise<unknown> {
    const running = this.asking.get(entity.path);
    if (running !== undefined) return running;
    const asked = this.connection
      .ask({ ...entity, signal: this.request.signal })
      .then(() => null)
      .catch((error: unknown) => {
        this.request.signal.throwIfAborted();
        return error;
      })
      .finally(() => this.asking.delete(entity.path));
    this.asking.set(entity.path, asked);
    return asked;
  }
}

/** A reply of a batch, or that the batch as a whole got none. */
export type Reply = BatchReply | { error: EngineError };

/** Each call's reply for itself, also where the batch as a whole got none. @throws what concerns the whole object */
export async function repliesTo(
  connection: GraphConnection,
  calls: readonly GraphCall[],
  signal: AbortSignal,
  options?: BatchOptions,
): Promise<Reply[]> {
  try {
    return await connection.batch(calls, signal, options);
  } catch (error) {
    if (!isDoubtful(error)) throw error;
    return calls.map(() => ({ error }));
  }
}

/** May be of one item or of all of them: who may not read, and who gets no answer. */
function isDoubtful(error: unknown): error is EngineError {
  return error instanceof EngineError && (error.code === 'consent-missing' || error.code === 'source-unreachable');
}

const isNotFound = (error: unknown) => error instanceof EngineError && error.code === 'not-found';

function ofItsPart(cause: EngineError): EngineError {
  const message = `The item is there, and a part of it is not given out: ${cause.message}`;
  return new EngineError('source-refused', message, { cause, isRetryable: true });
}

function ofItAlone(cause: EngineError): EngineError {
  const message = `It is tried again with the next run. ${cause.message}`;
  return new EngineError('source-refused', message, { cause, isRetryable: true });
}
