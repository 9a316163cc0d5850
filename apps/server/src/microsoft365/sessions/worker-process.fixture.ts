import { startWorker, type WorkerPlaces } from './worker.fixture.ts';

/** A worker in a process of its own, which a test kills. */
const places: WorkerPlaces = JSON.parse(process.argv[2] ?? '');
await startWorker(places);
process.send?.('started');
