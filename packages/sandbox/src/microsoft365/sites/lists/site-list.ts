import { uid } from '../../../world/random.ts';
import type { Drive } from '../../drives/drive.ts';
import type { Edit } from '../../drives/identity-set.ts';
import { type DriveItem, itemNotFound } from '../../drives/items/drive-item.ts';
import { ChangeLog } from '../../wire/change-log.ts';
import { GraphError } from '../../wire/graph-error.ts';
import type { Column } from './column.ts';
import type { ContentType } from './content-type.ts';
import type { ListItem } from './list-item.ts';

export interface ListFacts {
  id: string;
  /** Last part of the address. */
  name: string;
  displayName: string;
  description: string;
  /** `genericList`, `documentLibrary`, `webPageLibrary`, `events`, `tasks`, `userInformation`, … */
  template: string;
  hidden: boolean;
  /** Lists of the system show only to those who select the facet. */
  isSystem: boolean;
  contentTypesEnabled: boolean;
  createdBy: Edit['by'];
  createdMs: number;
  seed: number;
}

/** A list with its rows; the rows of a library are those of its drive. */
export class SiteList {
  facts: ListFacts;
  columns: Column[];
  contentTypes: ContentType[];
  readonly drive: Drive | undefined;
  private readonly rows = new Map<string, ListItem>();
  private readonly ownChanges = new ChangeLog();
  private created = 0;

  constructor(facts: ListFacts, columns: Column[], contentTypes: ContentType[], drive?: Drive) {
    this.facts = facts;
    this.columns = columns;
    this.contentTypes = contentTypes;
    this.drive = drive;
  }

  /** Keys are ids of rows, or of the drive's items in a library. */
  get changes(): ChangeLog {
    // Asked for its root, the drive is there with all of its past.
    if (this.drive) void this.drive.root;
    return this.drive?.changes ?? this.ownChanges;
  }

  get items(): ListItem[] {
    const { drive } = this;
    return drive ? [...drive.all()].map((item) => this.rowOf(item)) : [...this.rows.values()];
  }

  /** @throws GraphError 404 */
  item(id: string): ListItem {
    const row = this.drive ? this.rowOf(this.drive.itemOfList(id)) : this.rows.get(id);
    if (!row) throw itemNotFound();
    return row;
  }

  /** The row of a change's key; `undefined` for what is gone, and for the root folder, which has no row. */
  itemOfChange(key: string): ListItem | undefined {
    if (!this.drive) return this.rows.get(key);
    const item = this.drive.find(key);
    return item?.parent && this.rowOf(item);
  }

  /** The row's number of a change's key, also of what is gone. */
  idOfChange(key: string): string {
    const item = this.drive?.removed.get(key) ?? this.drive?.find(key);
    return item ? String(item.listItemId) : key;
  }

  /** @throws GraphError 400 in a library, whose rows come into being with their files */
  add(fields: Record<string, unknown>, edit: Edit, contentTypeId?: string, hasAttachments = false): ListItem {
    if (this.drive) throw new GraphError(400, 'invalidRequest', 'Items of a document library are created as files.');
    this.created += 1;
    const id = String(this.created);
    const item: ListItem = {
      id,
      uniqueId: uid(this.facts.seed, 0x115f, this.created),
      contentTypeId: contentTypeId ?? this.contentTypes[0]?.id ?? '0x01',
      createdBy: edit.by,
      createdMs: edit.atMs,
      modifiedBy: edit.by,
      modifiedMs: edit.atMs,
      revision: 1,
      fields: { ...fields },
      hasAttachments,
      versions: [{ id: '1.0', modifiedBy: edit.by, modifiedMs: edit.atMs, fields: { ...fields } }],
      driveItem: undefined,
    };
    this.rows.set(id, item);
    this.ownChanges.record(id);
    return item;
  }

  update(item: ListItem, fields: Record<string, unknown>, edit: Edit): void {
    const { driveItem } = item;
    if (driveItem) {
      Object.assign(driveItem.fields, fields);
      this.drive?.touch(driveItem, edit);
      return;
    }
    Object.assign(item.fields, fields);
    const number = Number.parseInt(item.versions[0]?.id ?? '0', 10) + 1;
    item.versions.unshift({
      id: `${number}.0`,
      modifiedBy: edit.by,
      modifiedMs: edit.atMs,
      fields: { ...item.fields },
    });
    Object.assign(item, { revision: item.revision + 1, modifiedBy: edit.by, modifiedMs: edit.atMs });
    this.ownChanges.record(item.id);
  }

  remove(item: ListItem): void {
    if (item.driveItem) {
      this.drive?.remove(item.driveItem);
      return;
    }
    this.rows.delete(item.id);
    this.ownChanges.record(item.id, true);
  }

  private rowOf(item: DriveItem): ListItem {
    const folder = this.contentTypes.find(({ name }) => name === 'Folder');
    const type = item.kind === 'folder' ? folder : this.contentTypes[0];
    return {
      id: String(item.listItemId),
      uniqueId: item.uniqueId,
      contentTypeId: type?.id ?? '0x0101',
      createdBy: item.createdBy,
      createdMs: item.createdMs,
      modifiedBy: item.modifiedBy,
      modifiedMs: item.modifiedMs,
      revision: item.revision,
      fields: item.fields,
      hasAttachments: false,
      versions: item.versions.map((version) => ({ ...version, fields: item.fields })),
      driveItem: item,
    };
  }
}
