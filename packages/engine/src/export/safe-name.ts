/** Names from a mailbox or a drive become names of files: no name may lead out of a folder, hide, or stop a system. */

/** Most file systems take 255 bytes a name. */
const NAME_BYTES_MAX = 200;
const EXTENSION_CHARACTERS_MAX = 20;
const RESERVED_ON_WINDOWS = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;
/**
 * Separators, what Windows refuses, control and format characters: the latter can turn `gpj.exe` around. Joiners are part of the spelling in Persian,
 * in Indic scripts and of emoji.
 */
const UNSAFE =
  /[\\/:*?"<>|\p{Cc}\p{Cs}\u2028\u2029]|(?!(?<=[\p{L}\p{M}\p{So}\p{Sk}])(?:\u200c|\u200d)(?=[\p{L}\p{So}]))\p{Cf}/gu;

/** One name without any path, never empty, at most 200 bytes, with its extension. */
export function safeName(name: string): string {
  const clean = name
    .normalize('NFC')
    .replaceAll(UNSAFE, '_')
    .replace(/[. ]+$/, '')
    .replace(/^ +/, '');
  const named = /^\.*$/.test(clean) ? '_' : clean;
  const [stem = ''] = named.split('.', 1);
  return shortened(RESERVED_ON_WINDOWS.test(stem.trimEnd()) ? `_${named}` : named);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= EXTENSION_CHARACTERS_MAX ? name.slice(dot) : '';
  let stem = '';
  let room = NAME_BYTES_MAX - Buffer.byteLength(extension);
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return `${stem.replace(/[. ]+$/, '')}${extension}`;
}

/** Gives every name in a folder once: the second `Report.pdf` becomes `Report (2).pdf`. Case does not distinguish names, as on Windows. */
export class NamesInFolder {
  private readonly used = new Set<string>();
  private readonly last = new Map<string, number>();

  reserve(name: string): string {
    const safe = safeName(name);
    const key = safe.toLowerCase();
    if (this.claim(safe)) return safe;
    const dot = safe.lastIndexOf('.');
    const [stem, extension] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ''];
    for (let count = this.last.get(key) ?? 2; ; count += 1) {
      const next = `${stem} (${count})${extension}`;
      if (!this.claim(next)) continue;
      this.last.set(key, count + 1);
      return next;
    }
  }

  private claim(name: string): boolean {
    const key = name.toLowerCase();
    if (this.used.has(key)) return false;
    this.used.add(key);
    return true;
  }
}

/** Names of all folders of an archive. Those that are not as they were are counted: by no other trace it would be seen. */
export class ZipNames {
  private readonly folders = new Map<string, NamesInFolder>();
  private readonly count: { renamed: number };

  constructor(count: { renamed: number }) {
    this.count = count;
  }

  reserve(folder: readonly string[], name: string): string {
    const key = folder.join('/');
    const names = this.folders.get(key) ?? new NamesInFolder();
    this.folders.set(key, names);
    const reserved = names.reserve(name);
    if (reserved !== name.normalize('NFC')) this.count.renamed += 1;
    return reserved;
  }
}
