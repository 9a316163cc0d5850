import { parentPort } from 'node:worker_threads';

/** In place of `pack-worker.ts`: a thread that ends when it has something to do, by an error or (`?exit`) without one. */
parentPort?.on('message', () => {
  if (import.meta.url.endsWith('?exit')) process.exit(3);
  throw new Error('the disk of this thread has melted');
});
