import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';

/** Beside the repository, not in it: the descriptions are their vendors'. */
const FOLDER = new URL('../../../../../shared/vendor-apis/', import.meta.url);

/**
 * A vendor's published API description, parsed from the folder `shared/vendor-apis` beside the repository; `null` where it is
 * not at hand.
 */
export function readVendorDescription(fileName: string): unknown {
  const file = new URL(fileName, FOLDER);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Why tests against a description are skipped, as a line that is shown. */
export function missingDescription(fileName: string): string {
  return `SKIPPED: the vendor's description ${fileURLToPath(new URL(fileName, FOLDER))} is not there`;
}

/**
 * Tests that compare with a vendor's published description. Without it one test is skipped in their place, whose name says why,
 * so that every report of the run has the reason; the line is printed as well.
 */
export function describeAgainstVendor(title: string, fileName: string, tests: (description: unknown) => void): void {
  const description = readVendorDescription(fileName);
  if (description !== null) {
    describe(title, () => tests(description));
    return;
  }
  const reason = missingDescription(fileName);
  console.warn(`${reason}: ${title}`);
  describe(title, () => test.skip(reason));
}
