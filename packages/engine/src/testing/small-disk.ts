import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, type TestContext } from 'vitest';

const run = promisify(execFile);

export interface SmallDisk {
  folder: string;
  /** Sets other options, such as `size=64m` or `ro`. */
  remount(options: string): Promise<void>;
  unmount(): Promise<void>;
  /** Writes a file that takes every byte which is left. */
  fill(): Promise<void>;
}

/** Mounts a disk of a size for a test. Where the machine does not let us have one, the test is skipped and says so. */
export async function smallDisk(context: TestContext, size = '2m'): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-disk-'));
  let isMounted = false;
  const unmount = async () => {
    if (isMounted) await run('umount', ['--lazy', folder]);
    isMounted = false;
  };
  onTestFinished(async () => {
    await unmount();
    await rm(folder, { recursive: true, force: true });
  });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
    isMounted = true;
  } catch (error) {
    const why = `a small disk cannot be mounted here (it takes root on Linux): ${error}`;
    console.log(`Skipped '${context.task.name}': ${why}`);
    return context.skip(why);
  }
  return {
    folder,
    unmount,
    remount: async (options) => void (await run('mount', ['-o', `remount,${options}`, folder])),
    fill: () => fillDisk(join(folder, '.others')),
  };
}

async function fillDisk(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const bytes of [Buffer.alloc(2 ** 20, 1), Buffer.alloc(4_096, 1)]) while (await isAppended(file, bytes));
  } finally {
    await file.close();
  }
}

async function isAppended(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<boolean> {
  try {
    return (await file.write(bytes)).bytesWritten === bytes.length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false;
    throw error;
  }
}
