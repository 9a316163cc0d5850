import { readFileSync } from 'node:fs';
import { ROLES, type Role } from '@keepwatch/contract/abilities';

const PAGE = new URL('../../../../docs/access.md', import.meta.url);

/** Which roles may make each call, as the page says that people read: `GET /companies` and its roles. */
export function callsOfPage(): Map<string, readonly Role[]> {
  const text = readFileSync(PAGE, 'utf8').split('## Routes')[0] ?? '';
  const lines = [...text.matchAll(/^\| `([A-Z]+ [^`]+)` \| (.+) \|$/gm)];
  return new Map(lines.map(([, name = '', cells = '']) => [name, rolesIn(cells.split(' | '))]));
}

function rolesIn(cells: readonly string[]): Role[] {
  return ROLES.filter((_, place) => cells[place] === 'yes');
}
