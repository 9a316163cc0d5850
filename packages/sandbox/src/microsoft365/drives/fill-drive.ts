import { mix, pick, unit, whole } from '../../world/random.ts';
import { generatedContent } from './content/generated-content.ts';
import type { Drive } from './drive.ts';
import type { Edit, Person } from './identity-set.ts';
import type { DriveItem } from './items/drive-item.ts';

export interface DriveStory {
  seed: number;
  people: readonly Person[];
  /** The instant the world was made at; everything happened before. */
  madeMs: number;
  fileCount: number;
  /** Whether the drive has what is seldom: a large file, malware, a notebook, many versions, a very deep folder. */
  hasRarities: boolean;
  /** Of that large file. */
  largestBytes: number;
  /** A folder of another drive that is shown here. */
  shortcut?: DriveItem['remote'];
}

const folderNames = [
  'Projects',
  'Verträge',
  '請求書',
  'Документы',
  'Ελληνικά',
  'العقود',
  'חוזים',
  'हिन्दी',
  'Fotos & Videos',
  'Jahr 2026 (neu)',
  "L'été",
  'Ångström',
  '한국어',
  'ไทย',
  '#hash %25 100%',
  'dot.in.name',
  'smile 😀',
] as const;

const fileNames = [
  'Report.docx',
  'Angebot Müller & Söhne.pdf',
  '見積書.xlsx',
  'Отчёт за год.docx',
  'βιβλίο.txt',
  'صورة.png',
  'notes;v2,final.txt',
  'a+b=c.csv',
  "it's.txt",
  'Bild (1).jpg',
  'README',
  '.gitignore',
  'archive.tar.gz',
  'Präsentation #3.pptx',
  '[draft] {x}.html',
  'e\u0301 combining.txt',
  'ＦＵＬＬ.txt',
  '🎉 party.mp4',
] as const;

const dayMs = 86_400_000;

/** Gives a drive its past: folders in folders, files of all sizes and scripts, versions, shared items. */
export function fillDrive(drive: Drive, story: DriveStory): void {
  const { seed } = story;
  const folders: DriveItem[] = [drive.root];
  const folderCount = Math.ceil(story.fileCount / 6);
  for (let number = 0; number < folderCount; number += 1) {
    // Below the first ones alone, so that no path grows too long.
    const parent = folders[mix(seed, number, 601) % Math.min(folders.length, 40)] ?? drive.root;
    const name = pick(folderNames, seed, number, 602);
    folders.push(drive.add(parent, { name, kind: 'folder' }, editAt(story, number), 'rename'));
  }
  for (let number = 0; number < story.fileCount; number += 1) addFile(drive, folders, story, number);
  if (story.hasRarities) addRarities(drive, story);
  if (story.shortcut) {
    drive.add(drive.root, { name: 'Shared with me', kind: 'remote', remote: story.shortcut }, editAt(story, 7));
  }
}

function addFile(drive: Drive, folders: readonly DriveItem[], story: DriveStory, number: number): void {
  const { seed, people } = story;
  const parent = folders[mix(seed, number, 611) % folders.length] ?? drive.root;
  const name = pick(fileNames, seed, number, 612);
  const size = sizeOf(seed, number);
  const edit = editAt(story, number);
  const modifiedMs = edit.atMs - whole(0, 400, seed, number, 613) * dayMs;
  const fileSystem = { createdMs: modifiedMs - dayMs, modifiedMs };
  const content = generatedContent(mix(seed, number, 614), size);
  const file = drive.add(parent, { name, kind: 'file', content, fileSystem }, edit, 'rename');
  const versions = unit(seed, number, 615) < 0.2 ? whole(1, 4, seed, number, 616) : 0;
  for (let version = 1; version <= versions; version += 1) {
    const next = generatedContent(mix(seed, number, 617, version), size + version * 100);
    drive.write(file, next, { by: edit.by, atMs: edit.atMs + version * 3_600_000 });
  }
  const reader = people[mix(seed, number, 618) % people.length];
  if (unit(seed, number, 619) < 0.1 && reader) share(file, reader, seed, number);
}

function share(file: DriveItem, reader: Person, seed: number, number: number): void {
  const loginName = `i:0#.f|membership|${reader.userPrincipalName}`;
  const { id, displayName } = reader;
  file.permissions.push({
    id: Buffer.from(loginName).toString('base64url'),
    roles: [unit(seed, number, 621) < 0.5 ? 'read' : 'write'],
    grantedTo: { kind: 'user', id, displayName, loginName },
    recipients: [],
    hasPassword: false,
  });
}

/** One in twelve is empty; most are small; a few have megabytes. */
function sizeOf(seed: number, number: number): number {
  const kind = unit(seed, number, 631);
  if (kind < 0.08) return 0;
  return Math.floor(100 * 10 ** (kind > 0.995 ? 4.7 : 3 * unit(seed, number, 632)));
}

function addRarities(drive: Drive, story: DriveStory): void {
  const { seed } = story;
  const edit = editAt(story, 3);
  const file = (name: string, size: number, more = {}) =>
    drive.add(
      drive.root,
      { name, kind: 'file', content: generatedContent(mix(seed, size, 641), size), ...more },
      edit,
      'rename',
    );
  file(`Backup image ${story.largestBytes / 1e6} MB.bin`, story.largestBytes);
  file('empty.txt', 0);
  file('infected.exe', 5000, { malware: 'EICAR-Test-File' });
  const busy = file('Budget.xlsx', 40_000);
  for (let version = 1; version <= 40; version += 1) {
    drive.write(busy, generatedContent(mix(seed, version, 642), 40_000 + version), {
      ...edit,
      atMs: edit.atMs + version * 60_000,
    });
  }
  drive.add(drive.root, { name: 'Team notebook', kind: 'package' }, edit, 'rename');
  let folder = drive.root;
  for (let depth = 1; depth <= 18; depth += 1) {
    folder = drive.add(folder, { name: `Ebene ${depth}`, kind: 'folder' }, edit, 'rename');
  }
  const content = generatedContent(mix(seed, 643), 321);
  drive.add(folder, { name: 'Grund.txt', kind: 'file', content }, edit);
}

function editAt({ seed, people, madeMs }: DriveStory, number: number): Edit {
  const person = people[mix(seed, number, 651) % people.length];
  const atMs = madeMs - whole(10, 700, seed, number, 652) * dayMs;
  if (!person) return { by: { application: { id: '', displayName: 'SharePoint App' } }, atMs };
  return { by: { user: { id: person.id, displayName: person.displayName } }, atMs };
}
