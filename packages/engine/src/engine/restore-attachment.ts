import type { CatalogObject } from '../catalog/catalog.ts';
import { openPart } from '../export/item-parts.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { attachmentMessage } from '../restore/attachment-message.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { refuseGroup } from './restore-request.ts';
import { findTarget } from './restore-target.ts';
import type { Stored, Work } from './work.ts';

const INTO = 'Restored attachments';

/** Which attachment is to go where. */
export interface AttachmentOrder {
  object: Pick<CatalogObject, 'key' | 'kind' | 'id' | 'name' | 'owner'>;
  item: ItemVersion;
  /** Its id, as `listParts` gives it: `attachment/2`. */
  part: string;
  /** Address or id of the user whose mailbox it goes into; without: where it was. */
  to?: string;
  /** The folder at the top of that mailbox, made where it is not there; default `Restored attachments`. */
  into?: string;
}

export interface AttachmentResult {
  /** `skipped`: the message of an earlier restore is in that folder. */
  outcome: 'restored' | 'skipped';
  /** Of the message. */
  id: string;
  subject: string;
  folder: string;
  /** For people: `the mailbox of Ada Lovelace`. */
  mailbox: string;
  bytes: number;
}

/**
 * Puts one attachment of a message, event or task into a mailbox, as a draft without addresses that carries nothing else. The message that it was of
 * stays as it is. Begun again, it does nothing.
 * @throws `not-found` for one that is not there, `bad-request` for what is no attachment, `locked` while a restore writes into the mailbox
 */
export async function restoreAttachment(
  stored: Stored,
  connection: GraphConnection,
  order: AttachmentOrder,
  { signal, onEvent }: Work,
): Promise<AttachmentResult> {
  onEvent({ type: 'phase', phase: 'restoring' });
  const { object, item, to, into = INTO } = order;
  const { part, bytes } = await openPart({ ...stored, signal }, item, order.part);
  if (part.what !== 'attachment' || object.kind !== 'mailbox')
    throw new EngineError('bad-request', `'${part.name}' is no attachment of a mailbox. Restore the item itself.`);
  if (to === undefined && isOfGroup(object)) throw refuseGroup();
  const own = connection.reportingTo(onEvent);
  const owner = await findTarget(own, { ...object, kind: 'mailbox' }, to, signal);
  const source = [stored.repository.id, object.key, item.firstRevision].join(' ');
  const message = attachmentMessage(source, { item, part, read: () => whole(bytes()) });
  const claim = await stored.catalog.claimTarget(`mailbox/${connection.tenantId}/${owner.id}`, owner.name);
  try {
    const until = AbortSignal.any([signal, claim.lost]);
    const mailbox = openGraphTarget(own).mailbox({ kind: 'mailbox', id: owner.id });
    const folder = await mailbox.createFolder({ kind: 'mail-folder', name: into, parentId: null }, until);
    const [there] = await mailbox.find(folder.id, message, until);
    const { id } = there ?? (await mailbox.create(folder.id, message, until));
    const outcome = there === undefined ? 'restored' : 'skipped';
    const subject = String(message.properties['subject']);
    return { outcome, id, subject, folder: into, mailbox: owner.name, bytes: there === undefined ? part.sizeBytes : 0 };
  } finally {
    claim.end();
  }
}

async function whole(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}
