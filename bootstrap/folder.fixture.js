import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A fresh folder with these files, removed when the test is over.
 * @param {Record<string, string>} files path inside the folder to content
 * @returns {string}
 */
export function folderWith(files = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-bootstrap-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
