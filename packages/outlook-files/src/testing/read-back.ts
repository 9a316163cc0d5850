import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { PSTAttachment, PSTFolder, PSTMessage } from 'pst-extractor';
import { PSTFile } from 'pst-extractor';

/** A folder as an independent reader (the npm package pst-extractor) sees it. */
export interface ReadFolder {
  name: string;
  containerClass: string;
  messages: PSTMessage[];
  folders: ReadFolder[];
}

/** The folders that users see in Outlook, as the reader has them. From memory: of a file, the reader reads some structures byte by byte. */
export function topFolders(path: string): PSTFolder[] {
  const root = new PSTFile(readFileSync(path)).getRootFolder();
  const top = root.getSubFolders().find((folder) => folder.displayName === 'Top of Personal Folders');
  if (!top) {
    throw new Error(`${path} has no top folder.`);
  }
  return top.getSubFolders();
}

/** The same, with what is in them. */
export function readFolders(path: string): ReadFolder[] {
  return topFolders(path).map(readFolder);
}

function readFolder(folder: PSTFolder): ReadFolder {
  const messages: PSTMessage[] = [];
  for (let next = child(folder); next; next = child(folder)) {
    messages.push(next);
  }
  const folders = folder.hasSubfolders ? folder.getSubFolders().map(readFolder) : [];
  return { name: folder.displayName, containerClass: folder.containerClass, messages, folders };
}

function child(folder: PSTFolder): PSTMessage | null {
  return folder.contentCount > 0 ? folder.getNextChild() : null;
}

/** Every folder at any depth, by its path. */
export function byPath(folders: readonly ReadFolder[], above: readonly string[] = []): Map<string, ReadFolder> {
  return new Map(
    folders.flatMap((folder) => {
      const path = [...above, folder.name];
      return [[path.join(' > '), folder] as const, ...byPath(folder.folders, path)];
    }),
  );
}

export function folderAt(path: string, ...names: string[]): ReadFolder {
  const folder = byPath(readFolders(path)).get(names.join(' > '));
  if (!folder) {
    throw new Error(`${path} has no folder ${names.join(' > ')}.`);
  }
  return folder;
}

export function attachmentsOf(message: PSTMessage): PSTAttachment[] {
  return Array.from({ length: message.numberOfAttachments }, (_, index) => message.getAttachment(index));
}

/** SHA-256 of an attachment's bytes as the reader gives them. */
export function contentHash(attachment: PSTAttachment): string {
  const stream = attachment.fileInputStream;
  const hash = createHash('sha256');
  const block = Buffer.alloc(8176);
  for (let left = attachment.filesize; stream && left > 0; ) {
    const read = stream.read(block);
    if (read <= 0) {
      break;
    }
    const bytes = Math.min(read, left);
    hash.update(block.subarray(0, bytes));
    left -= bytes;
  }
  return hash.digest('hex');
}

const run = promisify(execFile);

/** Runs a program; what it prints on both channels. */
export async function output(command: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(command, args, { maxBuffer: 256 * 1024 * 1024 });
  return stdout + stderr;
}

/** Whether a program is installed. Prints a line where not, as tests that need it are skipped then. */
export async function isInstalled(command: string, debianPackage: string): Promise<boolean> {
  try {
    await run(command, ['-V']);
    return true;
  } catch (error) {
    const isThere = !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
    if (!isThere) {
      console.log(`Skipped: ${command} is not installed (Debian package ${debianPackage}).`);
    }
    return isThere;
  }
}
