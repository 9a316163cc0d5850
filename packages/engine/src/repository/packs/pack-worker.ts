import { parentPort, workerData } from 'node:worker_threads';
import { PackFiller } from './pack-filler.ts';
import type { FromPackWorker, PackWorkerData, ToPackWorker } from './pack-thread.ts';

/** The program of a thread that fills packs: answers what it is asked in order, after the packs that it filled. */
const port = parentPort;
if (port === null) throw new Error('pack-worker.ts runs as a thread, not as a program.');
const { encryption }: PackWorkerData = workerData;
const filler = new PackFiller(encryption, (pack) => {
  port.postMessage({ type: 'pack', pack } satisfies FromPackWorker, [pack.bytes.buffer]);
});
port.on('message', (message: ToPackWorker) => {
  if (message.type === 'memory') filler.takeBack(message.memory);
  else if (message.type === 'close') {
    filler.close();
    port.postMessage({ type: 'closed' } satisfies FromPackWorker);
  } else {
    const { memory } = message.batch;
    filler.fill(message.batch, message.isToPack);
    port.postMessage({ type: 'filled', memory } satisfies FromPackWorker, [memory]);
  }
});
