import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, newToken, type Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

export type SecretOrigin = 'environment' | 'file';

/** Where the secret of the installation comes from. */
export interface SecretSource {
  /** Files are read again each time: another process of this machine may have brought a new secret in force. */
  read(): Secrets;
  origin: SecretOrigin;
  /** Of the one before it; `null` where there is none. */
  previousOrigin(): SecretOrigin | null;
}

/** A secret that a machine is given. */
export function givenSecret(current: string, previous: string | null = null): SecretSource {
  return {
    read: () => ({ current, previous }),
    origin: 'environment',
    previousOrigin: () => (previous === null ? null : 'environment'),
  };
}

type SecretSettings = Pick<Settings, 'KEEPWATCH_SECRET' | 'KEEPWATCH_PREVIOUS_SECRET' | 'DATA_DIR'>;

/** The given secret, or one created once in the data folder, readable by its owner alone. */
export async function openSecretSource(settings: SecretSettings): Promise<SecretSource> {
  const { KEEPWATCH_SECRET: current, KEEPWATCH_PREVIOUS_SECRET, DATA_DIR: dataDir } = settings;
  const previous = KEEPWATCH_PREVIOUS_SECRET || null;
  if (current !== '') return givenSecret(current, previous);
  let last: Secrets = { current: await createSecret(dataDir), previous };
  return {
    read() {
      // In this order: a rotation stores the earlier secret first. A folder that is gone for a moment changes nothing.
      const found = textOf(secretFile(dataDir));
      if (found !== null) last = { current: found, previous: previous ?? textOf(previousSecretFile(dataDir)) };
      return last;
    },
    origin: 'file',
    previousOrigin() {
      if (previous !== null) return 'environment';
      return textOf(previousSecretFile(dataDir)) === null ? null : 'file';
    },
  };
}

/** The same, without making one: `null` where this machine has none. */
export async function findSecretSource(settings: SecretSettings): Promise<SecretSource | null> {
  const hasOne = settings.KEEPWATCH_SECRET !== '' || textOf(secretFile(settings.DATA_DIR)) !== null;
  return hasOne ? openSecretSource(settings) : null;
}

const secretFile = (dataDir: string) => join(dataDir, 'secret');
const previousSecretFile = (dataDir: string) => join(dataDir, 'secret.previous');

/**
 * Brings a new secret in force, and keeps the present one as the previous one. Killed in between, the present one is in force, and the previous one is
 * the same.
 */
export async function rotateSecretFile(dataDir: string): Promise<void> {
  const present = await readFile(secretFile(dataDir), 'utf8');
  const next = await writeDraft(dataDir, newToken());
  await rename(await writeDraft(dataDir, present.trim()), previousSecretFile(dataDir));
  await rename(next, secretFile(dataDir));
}

/** Deletes the previous secret: nothing that was sealed with it can be opened any more. */
export async function removePreviousSecretFile(dataDir: string): Promise<void> {
  await rm(previousSecretFile(dataDir), { force: true });
}

async function createSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  // Written beside and linked into place: of two processes that start at once both read the same whole secret.
  const draft = await writeDraft(dataDir, newToken());
  await link(draft, secretFile(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(secretFile(dataDir), 'utf8')).trim();
}

async function writeDraft(dataDir: string, text: string): Promise<string> {
  const draft = `${secretFile(dataDir)}.${newId()}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  return draft;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
