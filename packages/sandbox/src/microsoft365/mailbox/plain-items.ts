import { changeKeyOf, etagOf, preferencesOf } from '../mail/message-json.ts';
import { removedStay } from '../mail/removed-stay.ts';
import { type CollectionOptions, collectionReply } from '../wire/collection.ts';
import { deltaReply } from '../wire/delta.ts';
import type { GraphCall, GraphReply } from '../wire/graph-call.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { badRequest, itemNotFound } from '../wire/refusals.ts';
import { checkIfMatch, entityReply } from '../wire/representation.ts';
import type { Folder, FolderClass } from './folder.ts';
import { readKey } from './folder.ts';
import type { Item, PlainContent } from './item.ts';
import { itemListing } from './item-listing.ts';
import type { Mailbox } from './mailbox.ts';

export type PlainItem = Item<PlainContent>;

/** What differs between events, contacts and tasks. */
export interface PlainKind {
  kind: PlainContent['kind'];
  folderClass: FolderClass;
  /** Folder when the path names none. */
  standardFolder: string;
  /** Parameters of the templates. */
  folderParameter: string;
  itemParameter: string;
  options: CollectionOptions;
  /** Properties a request may set. */
  writable: readonly string[];
  /** What a new one has besides what was sent. */
  blank: (call: GraphCall) => JsonObject;
  /** Returns what was sent, as it is stored. */
  normalize?: (properties: JsonObject) => JsonObject;
  toJson: (call: GraphCall, mailbox: Mailbox, item: PlainItem) => JsonObject;
}

/** Mailbox, folder and item operations that events, contacts and tasks have in common. */
export class PlainItems {
  readonly what: PlainKind;

  constructor(what: PlainKind) {
    this.what = what;
  }

  mailboxOf(call: GraphCall): Mailbox {
    return call.tenant.mailboxes.of(call.params['user'] ?? '');
  }

  folderOf(call: GraphCall): Folder {
    const { folderParameter, folderClass, standardFolder } = this.what;
    return this.mailboxOf(call).folder(call.params[folderParameter] ?? standardFolder, folderClass);
  }

  itemOf(call: GraphCall): PlainItem {
    return this.check(this.mailboxOf(call).item(call.params[this.what.itemParameter] ?? ''));
  }

  /** @throws GraphError 404 for an item of another kind */
  check(item: Item): PlainItem {
    const { content } = item;
    if (content.kind === 'message' || content.kind !== this.what.kind) throw itemNotFound();
    return { ...item, content };
  }

  toJson(call: GraphCall, item: Item): JsonObject {
    return this.what.toJson(call, this.mailboxOf(call), this.check(item));
  }

  list(call: GraphCall): GraphReply {
    const listing = itemListing(this.mailboxOf(call), [this.folderOf(call)], (item) => this.toJson(call, item));
    return collectionReply(call, listing, this.what.options);
  }

  get(call: GraphCall): GraphReply {
    return entityReply(call, this.toJson(call, this.itemOf(call)), this.what.options);
  }

  create(call: GraphCall): GraphReply {
    const properties = { ...this.what.blank(call), ...this.read(call.body) };
    const content: PlainContent = { kind: this.what.kind, properties, attachments: [] };
    const item = this.mailboxOf(call).createItem(this.folderOf(call), content);
    return entityReply(call, this.toJson(call, item), this.what.options, 201);
  }

  patch(call: GraphCall): GraphReply {
    const item = this.itemOf(call);
    checkIfMatch(call, etagOf(item));
    const properties = { ...item.content.properties, ...this.read(call.body) };
    const changed = this.mailboxOf(call).changeItem(item, { ...item.content, properties });
    return entityReply(call, this.toJson(call, changed), this.what.options);
  }

  remove(call: GraphCall): GraphReply {
    this.mailboxOf(call).removeItem(this.itemOf(call));
    return { status: 204 };
  }

  delta(
    call: GraphCall,
    folder = this.folderOf(call),
    toJson = (item: PlainItem): JsonObject | JsonObject[] => this.toJson(call, item),
  ): GraphReply {
    const mailbox = this.mailboxOf(call);
    const { isImmutable } = preferencesOf(call);
    const source = {
      changes: folder.changes,
      untouched: mailbox.untouchedOf(folder),
      read: (key: string) => {
        const { number, moves } = readKey(key);
        const item = mailbox.itemOfStay(folder, number, moves);
        return item && toJson(this.check(item));
      },
      removed: (key: string) => removedStay(mailbox, folder, key, isImmutable),
    };
    return deltaReply(call, source, this.what.options);
  }

  /** The properties of a request that can be set. @throws GraphError 400 */
  read(body: unknown): JsonObject {
    if (!isObject(body)) throw badRequest('The request needs a JSON object.');
    const known = Object.entries(body).filter(([name]) => this.what.writable.includes(name));
    const properties = Object.fromEntries(known);
    return this.what.normalize?.(properties) ?? properties;
  }
}

/** What every item of a mailbox says of itself. */
export function itemFacts(call: GraphCall, mailbox: Mailbox, item: Item): JsonObject {
  const { isImmutable } = preferencesOf(call);
  const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
  return {
    '@odata.etag': etagOf(item),
    id: mailbox.itemId(item, isImmutable),
    createdDateTime: instant(item.createdMs),
    lastModifiedDateTime: instant(item.modifiedMs),
    changeKey: changeKeyOf(item),
  };
}
