import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allows, ROLES, type Role } from '@keepwatch/contract/abilities';
import { calls } from '@keepwatch/contract/calls';
import type { Call } from '@keepwatch/contract/wire/call';
import { isOpen, type Place } from '../apps/web/src/kit/place.ts';
import { screens } from '../apps/web/src/program/screens.ts';
import { buildFullBranding, buildUser } from '../apps/web/src/testing/builders.ts';
import { ROOT } from './source-files.ts';

/** `node tools/access-table.ts` writes the table of who may make which call and open which route. */
export const TABLE = 'docs/access.md';

const HEAD = `# Who may make which call, and open which route

\`node tools/access-table.ts\` writes this page, from the abilities of each role (\`packages/contract/src/abilities.ts\`) and what calls and places ask for.
\`apps/server/src/testing/access.test.ts\` makes each call as a user of each role, and \`apps/web/src/program/access.test.ts\` opens each route: both compare
with this page. \`yes\`: the role alone is enough; of several roles, one is. Users are not limited to companies here, and the brand has everything switched on.
A reseller (sub-sp) always is limited, and refused what is of a whole provider: deleted companies and the companies of consoles.

Besides: \`public\`, no sign-in; \`session\`, not with an API key; \`own session\`, nor as an administrator who acts as the user.
`;

const COLUMNS = `| | ${ROLES.join(' | ')} | besides |\n|---|${'---|'.repeat(ROLES.length)}---|\n`;

/** A brand that shows everything. */
const BRANDING = buildFullBranding();

export function accessTable(): string {
  const callLines = Object.values(calls).map((call) =>
    lineOf(`${call.method} ${call.path}`, (role) => mayCall(call, role), neededBesides(call)),
  );
  const routeLines = screens.map((screen) =>
    lineOf(screen.path, (role) => mayOpen(screen, role), screen.access === 'signed-out' ? 'signed out' : ''),
  );
  return [HEAD, '## Calls\n', sectionOf(callLines), '## Routes\n', sectionOf(routeLines)].join('\n');
}

const sectionOf = (lines: readonly string[]) => `${COLUMNS}${lines.toSorted().join('\n')}\n`;

function lineOf(name: string, may: (role: Role) => boolean, besides: string): string {
  return `| \`${name}\` | ${ROLES.map((role) => (may(role) ? 'yes' : '–')).join(' | ')} | ${besides} |`;
}

function mayCall({ access }: Call, role: Role): boolean {
  return access === 'public' || access === 'signed-in' || allows([role], access);
}

function neededBesides({ access, needs }: Call): string {
  if (access === 'public') return 'public';
  if (needs === 'own-session') return 'own session';
  return access === 'signed-in' || needs === 'session' ? 'session' : '';
}

function mayOpen(place: Place, role: Role): boolean {
  return isOpen(place, buildUser({ roles: [role] }), BRANDING);
}

if (import.meta.main) writeFileSync(join(ROOT, TABLE), accessTable());
