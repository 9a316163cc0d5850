import { EngineError } from '../model/engine-error.ts';

/** An object that ends before a range does. */
export function tooShort(name: string, sizeBytes: number | null, start: number, length: number): EngineError {
  const found = sizeBytes === null ? 'ends earlier' : `has ${sizeBytes} bytes`;
  return new EngineError(
    'damaged',
    `The object ${name} ${found}, where at least ${start + length} were expected. It was cut short: run a full verify to see what it held.`,
  );
}
