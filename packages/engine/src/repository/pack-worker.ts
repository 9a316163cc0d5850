import { parentPort, workerData } from 'node:worker_threads';
import { PackFiller } from './pack-filler.ts';
import type { PackWorkerData, ToPackWorker } from './pack-thread.ts';

/** The program of a thread that fills packs: answers each message once, in order, after the packs that it filled. */
const port = parentPort;
if (port === null) throw new Error('pack-worker.ts runs as a thread, not as a program.');
const { encryption }: PackWorkerData = workerData;
const filler = new PackFiller(encryption, (pack) => {
  port.postMessage({ type: 'pack', pack }, [pack.bytes.buffer]);
});
port.on('message', (message: ToPackWorker) => {
  if (message.type === 'close') {
    filler.close();
    port.postMessage({ type: 'done', memory: null });
  } else {
    const { memory } = message.batch;
    filler.fill(message.batch, message.isWanted);
    port.postMessage({ type: 'done', memory }, [memory.buffer]);
  }
});
