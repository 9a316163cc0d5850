import type { ContainerPaths } from '../../browse/container-paths.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import { orDamaged } from '../../model/or-damaged.ts';
import type { DriveTarget, FileTimes, FoundChild } from '../../source/drive-target.ts';
import { instantOf, type JsonObject, objectOf, objectsOf, textOf } from '../../source/graph/json.ts';
import type { TargetContent, Written } from '../../source/target.ts';
import type { RestoreOptions } from '../restore-options.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from '../restore-place.ts';

export type DriveRestoreOptions = Pick<RestoreOptions, 'into' | 'mark' | 'versions' | 'permissions'>;

/**
 * A drive as a place to restore into: folders go by their path, with `into` below a folder of that name. A file is the one of its name; it is
 * unchanged when the drive reports the same hash of its bytes. What is put beside another, or is marked, is called `Report (restored).docx`.
 */
export class DrivePlace implements RestorePlace {
  private readonly target: DriveTarget;
  private readonly paths: ContainerPaths;
  private readonly options: DriveRestoreOptions;
  private readonly signal: AbortSignal;
  private readonly made = new Set<string>();
  private readonly folders = new Map<string, Promise<string | null>>();
  /** What is in a folder, asked for once: a query for every file would be one more request for each. */
  private readonly listed = new Map<string, Promise<FoundChild[]>>();

  constructor(target: DriveTarget, paths: ContainerPaths, options: DriveRestoreOptions, signal: AbortSignal) {
    this.target = target;
    this.paths = paths;
    this.options = options;
    this.signal = signal;
  }

  container(folder: ItemVersion, make: boolean): Promise<string | null> {
    const key = `${make} ${folder.id}`;
    const known = this.folders.get(key) ?? this.folder(folder, make);
    this.folders.set(key, known);
    return known;
  }

  async parentOf(item: ItemVersion, make: boolean): Promise<string | null> {
    const parent = item.parentId === null ? null : await this.paths.container(item.parentId);
    return parent === null ? this.top(make) : this.container(parent, make);
  }

  isNew(folderId: string): boolean {
    return this.made.has(folderId);
  }

  /** With the permissions it is shared as it was. */
  async applyContainerSettings(id: string, properties: JsonObject): Promise<readonly string[]> {
    const shared = this.options.permissions ? objectsOf(properties['permissions']) : [];
    return shared.length === 0 ? [] : this.target.share(id, shared, this.signal);
  }

  async find(parent: string, item: RestoreItem): Promise<FoundInPlace[]> {
    const names = namesOf(item.version.name);
    const ownName = this.nameOf(item).toLowerCase();
    const all = (await this.children(parent)).filter(({ name, isFolder }) => !isFolder && names.test(name));
    const found = all.map((child) => ({ ...child, ...comparedByHash(item, child) }));
    // The one of the name first: it matches the item, and copies beside it match none.
    return found
      .sort((one) => (one.name.toLowerCase() === ownName ? -1 : 1))
      .map((one) => ({ ...one, isCopy: one.name.toLowerCase() !== ownName }));
  }

  /** Of a file that was stored without its hash: by what the drive says of bytes like those that are stored. */
  async isUnchanged({ id }: FoundInPlace, parent: string, item: RestoreItem): Promise<boolean> {
    const found = (await this.children(parent)).find((child) => child.id === id);
    const [stored] = contentsOf(item);
    if (found === undefined || stored === undefined || found.sizeBytes !== stored.sizeBytes) return false;
    return stored.sizeBytes === 0 || (await this.target.hashOf(stored.open())) === found.hash;
  }

  identityOf({ version }: RestoreItem): string {
    return version.name.toLowerCase();
  }

  async create(folderId: string, item: RestoreItem, as: 'itself' | 'copy'): Promise<Written> {
    const name = as === 'itself' ? this.nameOf(item) : await this.copyName(folderId, item);
    return this.write({ folderId, name }, folderId, item);
  }

  replace({ id }: FoundInPlace, parent: string, item: RestoreItem): Promise<Written> {
    return this.write({ id }, parent, item);
  }

  /** A file whose bytes the restore writes anyway, and no other: any other file of this name is a person's work. */
  async remove({ id }: FoundInPlace, parent: string, item: RestoreItem): Promise<void> {
    const found = (await this.target.children(parent, this.signal)).find((child) => child.id === id);
    if (found !== undefined && (await this.hasStoredBytes(item, found))) await this.target.delete(id, this.signal);
    this.listed.delete(parent);
  }

  /** Whether the bytes of a file are those of one of the versions that are stored of it. */
  private async hasStoredBytes({ contents }: RestoreItem, { hash, sizeBytes }: FoundChild): Promise<boolean> {
    for (const content of contents.filter((one) => one.sizeBytes === sizeBytes))
      if ((await orDamaged(this.target.hashOf(content.open()))) === hash) return true;
    return false;
  }

  /** Earlier versions first, the oldest before all: each becomes a version of the file by what is written after it. */
  private async write(
    place: { folderId: string; name: string } | { id: string },
    parent: string,
    item: RestoreItem,
  ): Promise<Written> {
    const [current, earlier] = contentsOf(item);
    if (current === undefined)
      throw new EngineError('not-found', 'It was stored without its bytes. Back the drive up again.');
    const all = [...(this.options.versions === 'all' ? earlier : []), current];
    if (all.length > 1) await this.requireReadable(all);
    try {
      let at = place;
      let written: FoundChild | null = null;
      for (const content of all) {
        written = await this.target.write(at, content, timesOf(item.properties), this.signal);
        at = { id: written.id };
      }
      if (written === null) throw new EngineError('not-found', 'Nothing was written.');
      const losses = await this.applyContainerSettings(written.id, item.properties);
      await this.note(parent, written);
      return { id: written.id, losses };
    } catch (error) {
      // What is in the folder may no longer be what was listed.
      this.listed.delete(parent);
      throw error;
    }
  }

  /**
   * Reads all that is to be written of a file with versions. One that cannot be read would end the writing in the middle, with an earlier version as the
   * newest, over a person's file as well. @throws `damaged`, `not-found`
   */
  private async requireReadable(contents: readonly TargetContent[]): Promise<void> {
    for (const content of contents) for await (const _ of content.open()) this.signal.throwIfAborted();
  }

  /** A list that was asked for knows what was written since, and is not asked for again. */
  private async note(folderId: string, written: FoundChild): Promise<void> {
    const known = await this.listed.get(folderId);
    const at = known?.findIndex(({ id }) => id === written.id) ?? -1;
    if (at >= 0) known?.splice(at, 1, written);
    else known?.push(written);
  }

  private async copyName(folderId: string, { version }: RestoreItem): Promise<string> {
    const used = new Set((await this.children(folderId)).map(({ name }) => name.toLowerCase()));
    return freeName(version.name, used);
  }

  private nameOf({ version }: RestoreItem): string {
    return this.options.mark ? suffixed(version.name, ' (restored)') : version.name;
  }

  private async folder(folder: ItemVersion, make: boolean): Promise<string | null> {
    const parent = await this.parentOf(folder, make);
    return parent === null ? null : this.named(parent, folder.name, make);
  }

  private top(make: boolean): Promise<string | null> {
    const key = `${make} top`;
    const known = this.folders.get(key) ?? this.openTop(make);
    this.folders.set(key, known);
    return known;
  }

  private async openTop(make: boolean): Promise<string | null> {
    const root = await this.target.rootId(this.signal);
    return this.options.into === null ? root : this.named(root, this.options.into, make);
  }

  private async named(parent: string, name: string, make: boolean): Promise<string | null> {
    const isSame = (child: FoundChild) => child.isFolder && child.name.toLowerCase() === name.toLowerCase();
    const there = this.isNew(parent) ? undefined : (await this.children(parent)).find(isSame);
    if (there !== undefined || !make) return there?.id ?? null;
    const made = await this.target.createFolder(parent, { name, times: {} }, this.signal);
    this.made.add(made.id);
    return made.id;
  }

  private children(folderId: string): Promise<FoundChild[]> {
    const known = this.listed.get(folderId) ?? this.target.children(folderId, this.signal);
    this.listed.set(folderId, known);
    return known;
  }
}

function contentsOf({
  contents,
  properties,
}: RestoreItem): [current: TargetContent | undefined, earlier: TargetContent[]] {
  const order = objectsOf(properties['versions']).map(({ id }) => `versions/${textOf(id)}`);
  const earlier = contents.filter(({ name }) => name.startsWith('versions/'));
  // The drive lists the newest first.
  earlier.sort((one, other) => order.indexOf(other.name) - order.indexOf(one.name));
  return [contents.find(({ name }) => name === 'file'), earlier];
}

function timesOf(properties: JsonObject): FileTimes {
  const { createdDateTime, lastModifiedDateTime } = objectOf(properties['fileSystemInfo']);
  const [created, modified] = [instantOf(createdDateTime), instantOf(lastModifiedDateTime)];
  return {
    ...(created === undefined ? {} : { createdDateTime: created }),
    ...(modified === undefined ? {} : { lastModifiedDateTime: modified }),
  };
}

/** Whether the bytes are the stored ones, by the hashes that the drive gives of both; nothing where one of them is not given. */
function comparedByHash(item: RestoreItem, child: FoundChild): { isUnchanged?: boolean } {
  const hashes = objectOf(objectOf(item.properties['file'])['hashes']);
  const stored = textOf(hashes['quickXorHash']) ?? textOf(hashes['sha256Hash']);
  if (child.sizeBytes !== sizeOf(item)) return { isUnchanged: false };
  return child.hash === null || stored === undefined ? {} : { isUnchanged: child.hash === stored };
}

const sizeOf = ({ contents }: RestoreItem) => contents.find(({ name }) => name === 'file')?.sizeBytes;

function suffixed(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}${suffix}${name.slice(dot)}` : `${name}${suffix}`;
}

function freeName(name: string, used: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const free = suffixed(name, count === 1 ? ' (restored)' : ` (restored ${count})`);
    if (!used.has(free.toLowerCase())) return free;
  }
}

/** The name itself, and those that copies of it get. */
function namesOf(name: string): RegExp {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  return new RegExp(`^${escaped(stem)}(?: \\(restored(?: \\d+)?\\))?${escaped(extension)}$`, 'i');
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
