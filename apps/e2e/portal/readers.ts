import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a program that reads what we make is on this machine. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['-V'], { stdio: 'ignore' }).error === undefined;
}

/** Messages of a PST by their subjects, as `readpst` writes them. */
export function messagesOf(pst: string, folder: string): string[] {
  // In one process (`-j 0`): of several, two may choose the same name for a file, and a mail is lost.
  execFileSync('readpst', ['-j', '0', '-q', '-e', '-o', folder, pst], { stdio: 'pipe' });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Tests every checksum, and lists the names of files with their content. */
const UNZIP = `
import sys, zipfile, json
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({one.filename: archive.read(one).decode() for one in archive.infolist() if not one.is_dir()}))`;

/** Names and texts of an archive, read by a program that knows nothing of us: Python. */
export function textsOf(zip: string): Record<string, string> {
  return JSON.parse(execFileSync('python3', ['-c', UNZIP, zip], { encoding: 'utf8' }));
}
