import type { ProtectedObject } from '../model/protected-object.ts';
import type { FoundSubject, SelectedItem, Selection } from '../source/source.ts';

/** What of a listing decides it. */
interface Listed {
  /** What the selected and excluded items were found to be. */
  found: readonly FoundSubject[];
  /** Subjects that could not be asked, and selected items that could not be looked up: `user/<id>`, `site/<URL>`. */
  refused: ReadonlySet<string>;
  /** As they were before this run, of those that have another address by now. */
  moved: readonly ProtectedObject[];
}

/** By the keys of objects, the sites (`site/<id>`) below which they were before those got another URL: what is not listed has its old one still. */
export type FormerSites = Readonly<Record<string, string>>;

type StoredObject = ProtectedObject & { key: string };

/** What a job means of objects that are not listed any more: by its selection, and by what the items of that were found to be. */
export class Coverage {
  private readonly selection: Selection;
  /** By selected item. */
  private readonly found = new Map<string, Found>();
  private readonly refused: ReadonlySet<string>;
  private readonly refusedCollections: ReadonlySet<string>;
  /** Selected sign-in names that name none of the objects: whose they are is not known, so the objects of all persons are carried. */
  private readonly strangers: ReadonlySet<SelectedItem>;
  private readonly included: ReadonlyMap<string, readonly SelectedItem[]>;
  private readonly excluded: ReadonlyMap<string, readonly SelectedItem[]>;
  /** Selected items that may mean an object by something else than a name. */
  private readonly wide: readonly SelectedItem[];
  /** Where sites were before this run. */
  private readonly earlierUrls: ReadonlyMap<string, readonly string[]>;
  private readonly formerSites: FormerSites;

  /**
   * @param objects of the last restore point, as they are stored: those that this run did not read
   * @param formerSites as that restore point says them
   */
  constructor(
    selection: Selection,
    { found, refused, moved }: Listed,
    objects: readonly StoredObject[],
    formerSites: FormerSites = {},
  ) {
    this.selection = selection;
    this.earlierUrls = urlsOfSites([...objects, ...moved]);
    this.formerSites = formerSites;
    for (const one of found) this.add(one);
    this.refused = refused;
    this.refusedCollections = new Set([...refused].map(collectionOf));
    const names = new Set(objects.flatMap(namesOf));
    const isStranger = ({ id }: SelectedItem) => id.includes('@') && !names.has(id.toLowerCase());
    const unfound = selection.include.filter((item) => !this.found.has(keyOf(item)));
    this.strangers = new Set(unfound.filter((item) => item.type === 'user' && isStranger(item)));
    this.included = this.byName(selection.include);
    this.excluded = this.byName(selection.exclude);
    const lists = selection.include.filter(({ type }) => type === 'group' || type === 'all');
    this.wide = [...lists, ...this.strangers, ...unfound.filter(({ type }) => type === 'site')];
  }

  /** Items by what they name: thousands of objects are looked up among thousands of items. */
  private byName(items: readonly SelectedItem[]): Map<string, SelectedItem[]> {
    const pairs = items.flatMap((item) => {
      const { top, subjects } = this.found.get(keyOf(item)) ?? { top: null, subjects: new Set<string>() };
      const keys = new Set([item.id.toLowerCase(), ...subjects, ...(top === null ? [] : [collectionOf(top.subject)])]);
      return [...keys].map((key) => ({ key, item }));
    });
    const named = new Map<string, SelectedItem[]>();
    for (const { key, item } of pairs) named.set(key, [...(named.get(key) ?? []), item]);
    return named;
  }

  private add(found: FoundSubject): void {
    const { top, subjects } = this.found.get(keyOf(found.item)) ?? { top: found, subjects: new Set() };
    this.found.set(keyOf(found.item), { top, subjects: subjects.add(found.subject) });
  }

  /** Whether the job still means the object. */
  covers(object: StoredObject): boolean {
    const { scope, kinds, personalSites } = this.selection;
    const isExcluded = (item: SelectedItem) => hasKind(item, object) && this.names(item, object);
    if (!kinds.includes(object.kind) || among(this.excluded, object).some(isExcluded)) return false;
    if (scope === 'selected') return this.selectors(object).length > 0;
    return personalSites || !isPersonalSite(object);
  }

  /** Whether it is not listed because it, a site of its site collection, or an item that selects it was refused. */
  isRefused(object: StoredObject): boolean {
    const subject = subjectOf(object);
    return (
      this.refused.has(subject) ||
      this.refusedCollections.has(collectionOf(subject)) ||
      this.selectors(object).some((item) => this.refused.has(keyOf(item)))
    );
  }

  /** By key, the selected sites below which objects were before those got another URL, without objects that are below the present one. */
  formerSitesOf(objects: readonly StoredObject[]): [key: string, site: string][] {
    return objects.flatMap((object): [string, string][] => {
      const tops = among(this.included, object).flatMap((item) => this.found.get(keyOf(item))?.top ?? []);
      const former = tops.find((top) => this.wasBelow(top, object));
      return former === undefined || tops.some(({ address }) => isBelow(address, object))
        ? []
        : [[object.key, former.subject]];
    });
  }

  /** The selected items that mean the object. */
  private selectors(object: StoredObject): SelectedItem[] {
    const items = new Set([...among(this.included, object), ...this.wide]);
    return [...items].filter((item) => hasKind(item, object) && this.selects(item, object));
  }

  /**
   * Who was a member of a group is not known, so the objects of every person who is not listed any more are carried and reported. A site that was not
   * found has what is at its URL or in its site collection.
   */
  private selects(item: SelectedItem, object: StoredObject): boolean {
    if (item.type === 'group') return this.names(item, object) || subjectOf(object).startsWith('user/');
    if (item.type === 'all') return isOfList(item, object);
    if (this.names(item, object)) return true;
    const subject = subjectOf(object);
    if (this.strangers.has(item)) return subject.startsWith('user/');
    if (this.found.has(keyOf(item))) return false;
    return isAt(item.id, object.address) || collectionOf(keyOf(item)) === collectionOf(subject);
  }

  /** Whether an item names the object, or what it hangs on, or was found to be that: a site is also the sites below it. */
  private names(item: SelectedItem, object: StoredObject): boolean {
    const found = this.found.get(keyOf(item));
    if (isNamed(item, object)) return true;
    return found !== undefined && (found.subjects.has(subjectOf(object)) || this.isBelowSite(found.top, object));
  }

  /** The address of the root site begins those of all others, which are in site collections of their own. */
  private isBelowSite(top: FoundSubject, object: StoredObject): boolean {
    if (collectionOf(top.subject) !== collectionOf(subjectOf(object))) return false;
    return isBelow(top.address, object) || this.wasBelow(top, object);
  }

  private wasBelow({ subject }: FoundSubject, object: StoredObject): boolean {
    if (this.formerSites[object.key] === subject) return true;
    return this.earlierUrls.get(subject)?.some((url) => isBelow(url, object)) === true;
  }
}

/** What a selected item is. */
interface Found {
  /** The site itself, and not one below it. */
  top: FoundSubject;
  subjects: Set<string>;
}

/** The items that may name an object, its owner or the site collection that it is in. */
function among(items: ReadonlyMap<string, readonly SelectedItem[]>, object: ProtectedObject): SelectedItem[] {
  const subject = subjectOf(object);
  return [...new Set([...namesOf(object), subject, collectionOf(subject)])].flatMap((key) => items.get(key) ?? []);
}

const keyOf = ({ type, id }: SelectedItem) => `${type}/${id.toLowerCase()}`;

const hasKind = (item: SelectedItem, { kind }: ProtectedObject) => item.kinds?.includes(kind) !== false;

/** A team, its group and what hangs on them share one id: an item names only what hangs on its own kind of subject. The plans of a team hang on its group. */
function isNamed({ type, id: name }: SelectedItem, object: ProtectedObject): boolean {
  const [subject] = subjectOf(object).split('/', 1);
  const isOfType = subject === type || (type === 'team' && subject === 'group' && object.kind === 'planner');
  return isOfType && namesOf(object).includes(name.toLowerCase());
}

const namesOf = ({ id, address, owner }: ProtectedObject): string[] =>
  [id, address, owner?.replace(/^\w+\//, '')].flatMap((name) => (name == null ? [] : [name.toLowerCase()]));

/** The URLs of sites by their subjects, as the sites themselves and their libraries have them. */
function urlsOfSites(objects: readonly ProtectedObject[]): Map<string, string[]> {
  const urls = new Map<string, string[]>();
  for (const object of objects) {
    const subject = subjectOf(object);
    const url = subject.startsWith('site/') ? urlOfSite(object) : null;
    if (url !== null) urls.set(subject, [...(urls.get(subject) ?? []), url]);
  }
  return urls;
}

/** A library is a folder of its site. */
function urlOfSite({ kind, address }: ProtectedObject): string | null {
  if (kind === 'site') return address;
  return kind === 'drive' && address !== null ? (URL.parse('.', address)?.href ?? null) : null;
}

const isBelow = (url: string | null, { address }: ProtectedObject) => url !== null && isAt(url, address);

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
