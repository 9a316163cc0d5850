import { setTimeout } from 'node:timers/promises';
import { refusalOf } from './directory-refusals.ts';

/** A controller answers a wrong password later than a wrong name. No refusal comes sooner than this. */
const REFUSED_AFTER_MS = 300;

/** Waits for what a directory says of a name that may not exist there. Its refusals come as the portal says them, none sooner than others. */
export async function notSooner<T>(asked: Promise<T>): Promise<T> {
  const begunAt = performance.now();
  try {
    return await asked;
  } catch (error) {
    await setTimeout(Math.max(0, REFUSED_AFTER_MS - (performance.now() - begunAt)));
    throw refusalOf(error);
  }
}
