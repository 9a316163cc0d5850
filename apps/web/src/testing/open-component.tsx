import type { ComponentType } from 'react';
import type { Answers } from './answers.ts';
import { buildUser } from './builders.ts';
import { openPortal } from './open-portal.tsx';

/** Opens a part of the kit as a screen of its own, at `/monitoring/test` with this query. */
export function openComponent(
  component: ComponentType,
  { query = '', answers }: { query?: string; answers?: Answers } = {},
) {
  return openPortal({
    path: `/monitoring/test${query}`,
    user: buildUser(),
    screens: [
      { path: '/monitoring/test', title: 'Test', access: 'signed-in', load: async () => ({ default: component }) },
    ],
    ...(answers === undefined ? {} : { answers }),
  });
}
