import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';

/** Where descriptions are looked for unless the setting says otherwise: outside the repository, as they are their vendors'. */
const FOLDER = fileURLToPath(new URL('../../../../../shared/vendor-apis', import.meta.url));

/** Where a vendor's published description would be: in the folder that the setting `VENDOR_APIS` names. */
export function vendorFile(fileName: string): string {
  return join(process.env['VENDOR_APIS'] ?? FOLDER, fileName);
}

/** A vendor's published API description, parsed; `null` where it is not at hand. */
export function readVendorDescription(fileName: string): unknown {
  const file = vendorFile(fileName);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Why tests against a description are skipped, as a line that is shown. */
export function missingDescription(fileName: string): string {
  return `SKIPPED: the vendor's description ${vendorFile(fileName)} is not there (VENDOR_APIS names the folder)`;
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
