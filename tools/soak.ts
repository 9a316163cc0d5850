/**
 * How often a test tries what it draws at random. Each run of `npm test` draws other values, so few tries find over time what many find at once;
 * `npm run soak`, before a release, makes the many.
 */
export function tries(usual: number, soak: number): number {
  return isSoak() ? soak : usual;
}

/** Whether this is `npm run soak`, in which a test may take long. */
export function isSoak(): boolean {
  return process.env['SOAK'] !== undefined;
}
