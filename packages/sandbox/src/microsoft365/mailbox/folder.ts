import { ChangeLog } from '../wire/change-log.ts';

/** Class of a folder, as the mailbox names it. */
export type FolderClass = 'IPF.Note' | 'IPF.Appointment' | 'IPF.Contact' | 'IPF.Task';

/** A folder of any kind; its items are numbers of the mailbox. */
export class Folder {
  readonly number: number;
  readonly folderClass: FolderClass;
  /** Such as `inbox`; `undefined` for a folder a person has made. */
  readonly wellKnownName: string | undefined;
  parent: number;
  displayName: string;
  isHidden: boolean;
  revision = 1;
  unread = 0;
  /** Keys are `number.moves`: a stay of an item in this folder. */
  readonly changes = new ChangeLog();
  /** Invented items that were here from the start: `count` numbers from `first`. */
  readonly range: { first: number; count: number };
  /** The numbers of the items, oldest first; made when they are no longer the range. */
  private numbers: number[] | undefined;
  /** Whatever else a calendar or list has of its own. */
  properties: Readonly<Record<string, unknown>> = {};

  constructor(facts: FolderFacts) {
    this.number = facts.number;
    this.parent = facts.parent;
    this.displayName = facts.displayName;
    this.folderClass = facts.folderClass;
    this.wellKnownName = facts.wellKnownName;
    this.isHidden = facts.isHidden ?? false;
    this.range = facts.range ?? { first: 0, count: 0 };
    this.properties = facts.properties ?? {};
  }

  get itemCount(): number {
    return this.numbers?.length ?? this.range.count;
  }

  /** The number of the item at a position, the oldest at 0. */
  numberAt(index: number): number {
    return this.numbers?.[index] ?? this.range.first + index;
  }

  /** Puts an item here, as the newest. */
  add(number: number, moves: number): void {
    this.list().push(number);
    this.changes.record(keyOf(number, moves));
  }

  remove(number: number, moves: number): void {
    const numbers = this.list();
    const at = numbers.lastIndexOf(number);
    if (at >= 0) numbers.splice(at, 1);
    this.changes.record(keyOf(number, moves), true);
  }

  /** Puts on record that an item changed where it is. */
  touch(number: number, moves: number): void {
    this.changes.record(keyOf(number, moves));
  }

  private list(): number[] {
    this.numbers ??= Array.from({ length: this.range.count }, (_, index) => this.range.first + index);
    return this.numbers;
  }
}

export interface FolderFacts {
  number: number;
  parent: number;
  displayName: string;
  folderClass: FolderClass;
  wellKnownName?: string | undefined;
  isHidden?: boolean;
  range?: { first: number; count: number };
  properties?: Readonly<Record<string, unknown>>;
}

/** A stay of an item in a folder, as changes are recorded by. */
export const keyOf = (number: number, moves: number) => `${number}.${moves}`;

export function readKey(key: string): { number: number; moves: number } {
  const [number, moves] = key.split('.').map(Number);
  return { number: number ?? 0, moves: moves ?? 0 };
}
