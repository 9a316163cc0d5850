import { writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { FileBatch } from './file-writer.ts';

/** The thread of a `FileWriter`: writes the files of a batch, and gives its memory back. */
parentPort?.on('message', ({ memory, files }: FileBatch) => {
  for (const { path, start, end } of files) writeFileSync(path, memory.subarray(start, end));
  parentPort?.postMessage(memory, [memory.buffer]);
});
