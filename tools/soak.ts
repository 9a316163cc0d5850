/**
 * How often a test tries what it draws at random. Each run of `npm test` draws other values, so few tries find over time what many find at once;
 * `npm run soak`, before a release, makes the many.
 */
export function tries(usual: number, soak: number): number {
  return process.env['SOAK'] === undefined ? usual : soak;
}
