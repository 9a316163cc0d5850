import type { ProtectedObject } from '../model/protected-object.ts';
import type { FoundSubject, SelectedItem, Selection } from '../source/source.ts';

/** What a job means of objects that are not listed any more: by its selection, and by what the items of that were found to be. */
export class Coverage {
  private readonly selection: Selection;
  /** By selected item. */
  private readonly found = new Map<string, Found>();
  private readonly refused: ReadonlySet<string>;
  private readonly refusedCollections: ReadonlySet<string>;
  /** Selected sign-in names that name none of the objects: any person's may be meant. */
  private readonly strangers: ReadonlySet<SelectedItem>;

  /** @param refused subjects that could not be asked, and selected items that could not be looked up: `user/<id>`, `site/<URL>` */
  constructor(
    selection: Selection,
    found: readonly FoundSubject[],
    refused: ReadonlySet<string>,
    objects: readonly ProtectedObject[],
  ) {
    this.selection = selection;
    for (const one of found) this.add(one);
    this.refused = refused;
    this.refusedCollections = new Set([...refused].map(collectionOf));
    const isStranger = (item: SelectedItem) =>
      item.type === 'user' &&
      item.id.includes('@') &&
      !this.found.has(keyOf(item)) &&
      !objects.some((object) => isNamed(item, object));
    this.strangers = new Set(selection.include.filter(isStranger));
  }

  private add(found: FoundSubject): void {
    const { top, subjects } = this.found.get(keyOf(found.item)) ?? { top: found, subjects: new Set() };
    this.found.set(keyOf(found.item), { top, subjects: subjects.add(found.subject) });
  }

  /** Whether the job still means the object. */
  covers(object: ProtectedObject): boolean {
    const { scope, kinds, exclude, personalSites } = this.selection;
    const isExcluded = (item: SelectedItem) => hasKind(item, object) && this.names(item, object);
    if (!kinds.includes(object.kind) || exclude.some(isExcluded)) return false;
    if (scope === 'selected') return this.selectors(object).length > 0;
    return personalSites || !isPersonalSite(object);
  }

  /** Whether it is not listed because it, a site of its site collection, or an item that selects it was refused. */
  isRefused(object: ProtectedObject): boolean {
    const subject = subjectOf(object);
    return (
      this.refused.has(subject) ||
      this.refusedCollections.has(collectionOf(subject)) ||
      this.selectors(object).some((item) => this.refused.has(keyOf(item)))
    );
  }

  /** The selected items that mean the object. */
  private selectors(object: ProtectedObject): SelectedItem[] {
    return this.selection.include.filter((item) => hasKind(item, object) && this.selects(item, object));
  }

  /**
   * Who was a member of a group is not known: of the objects of earlier members it is said that they are gone. A site that was not found has
   * what is at its URL or in its site collection.
   */
  private selects(item: SelectedItem, object: ProtectedObject): boolean {
    if (item.type === 'group') return true;
    if (item.type === 'all') return isOfList(item, object);
    if (this.names(item, object)) return true;
    const subject = subjectOf(object);
    if (this.strangers.has(item)) return subject.startsWith('user/');
    if (this.found.has(keyOf(item))) return false;
    return isAt(item.id, object.address) || collectionOf(keyOf(item)) === collectionOf(subject);
  }

  /** Whether an item names the object, or what it hangs on, or was found to be that: a site is also the sites below it. */
  private names(item: SelectedItem, object: ProtectedObject): boolean {
    const found = this.found.get(keyOf(item));
    if (isNamed(item, object)) return true;
    return found !== undefined && (found.subjects.has(subjectOf(object)) || isBelowSite(found.top, object));
  }
}

/** What a selected item is. */
interface Found {
  /** The site itself, and not one below it. */
  top: FoundSubject;
  subjects: Set<string>;
}

const keyOf = ({ type, id }: SelectedItem) => `${type}/${id.toLowerCase()}`;

const hasKind = (item: SelectedItem, { kind }: ProtectedObject) => item.kinds?.includes(kind) !== false;

function isNamed({ id: name }: SelectedItem, { id, address, owner }: ProtectedObject): boolean {
  const names = [id, address, owner?.replace(/^\w+\//, '')];
  return names.some((one) => one?.toLowerCase() === name.toLowerCase());
}

/** The address of the root site begins those of all others, which are in site collections of their own. */
const isBelowSite = ({ subject, address }: FoundSubject, object: ProtectedObject) =>
  address !== null && isAt(address, object.address) && collectionOf(subject) === collectionOf(subjectOf(object));

/** Whether an address is that of a site or below it. */
function isAt(site: string, address: string | null): boolean {
  const [top, below] = [plainUrl(site), plainUrl(address ?? '')];
  return top !== null && below !== null && (below === top || below.startsWith(`${top}/`));
}

const plainUrl = (text: string) =>
  /^https?:/i.test(text) ? (URL.parse(text)?.href.toLowerCase().replace(/\/+$/, '') ?? null) : null;

/** The id of a site is host, site collection and site: https://learn.microsoft.com/graph/api/resources/site */
const collectionOf = (subject: string) => /^(site\/[^,]+,[^,]+),[^,]+$/.exec(subject)?.[1] ?? subject;

const isPersonalSite = ({ kind, address }: ProtectedObject) => kind === 'site' && /\/personal\//i.test(address ?? '');

/** Whether a whole list has what the object hangs on. */
function isOfList({ id }: SelectedItem, object: ProtectedObject): boolean {
  const [subject] = subjectOf(object).split('/', 1);
  if (id === 'users') return subject === 'user';
  if (id === 'groups') return subject === 'group' || subject === 'team';
  return subject === 'site' && isPersonalSite(object) === (id === 'personal-sites');
}

const SUBJECT_TYPES: Readonly<Record<ProtectedObject['kind'], string>> = {
  mailbox: 'user',
  archive: 'user',
  chats: 'user',
  drive: 'user',
  site: 'site',
  team: 'team',
  planner: 'group',
};

/** The subject that an object hangs on, as listings name it. */
function subjectOf({ kind, id, owner }: ProtectedObject): string {
  return (owner ?? `${SUBJECT_TYPES[kind]}/${id}`).toLowerCase();
}
