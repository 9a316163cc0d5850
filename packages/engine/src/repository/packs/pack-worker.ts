import { parentPort } from 'node:worker_threads';
import { BatchWork } from './batch-work.ts';
import type { FromWriteThread, ToWriteThread } from './write-thread.ts';

/** The program of a thread that cuts and packs, for any number of runs: answers what it is asked in order, after the packs that it filled. */
const port = parentPort;
if (port === null) throw new Error('pack-worker.ts runs as a thread, not as a program.');
const runs = new Map<number, BatchWork>();
const send = (message: FromWriteThread, transferred: ArrayBuffer[] = []) => port.postMessage(message, transferred);

port.on('message', (message: ToWriteThread) => {
  const { run } = message;
  if (message.type === 'begin') {
    const onPack: ConstructorParameters<typeof BatchWork>[1] = (pack) =>
      send({ type: 'full', run, pack }, [pack.bytes.buffer]);
    runs.set(run, new BatchWork(message.setup, onPack));
  } else if (message.type === 'end') runs.delete(run);
  else work(workOf(run), message);
});

function workOf(run: number): BatchWork {
  const found = runs.get(run);
  if (found === undefined) throw new Error(`The run ${run} was not begun in this thread.`);
  return found;
}

function work(batches: BatchWork, message: Exclude<ToWriteThread, { type: 'begin' | 'end' }>): void {
  if (message.type === 'memory') {
    batches.takeBack(message.memory);
    return;
  }
  const { request } = message;
  if (message.type === 'cut') send({ type: 'cut', request, reply: batches.cut(request, message.raw) });
  else if (message.type === 'pack') {
    const memory = batches.pack(message.batch, message.isNew);
    send({ type: 'packed', request, memory }, [memory]);
  } else {
    batches.close();
    send({ type: 'closed', request });
  }
}
