import { OBJECT_KINDS } from '../../model/protected-object.ts';
import type { Command } from '../command.ts';
import { POINT_OPTIONS, pickRestorePoint } from '../pick.ts';
import { SHOWING_OPTIONS, withShownParts } from '../present-parts.ts';

export const objects: Command = {
  words: '',
  options: {
    ...SHOWING_OPTIONS,
    ...POINT_OPTIONS,
    kinds: { type: 'string', help: `only ${OBJECT_KINDS.join(', ')}` },
  },
  examples: [['--at 2026-11-20 --kinds mailbox', 'mailboxes as they were at the end of that day']],
  run: (context) =>
    withShownParts(context, async ({ catalog }) => {
      const { given, output } = context;
      const kinds = given.someOf('kinds', OBJECT_KINDS);
      const point = await pickRestorePoint(catalog, given);
      const { objects: flags = {} } = (await catalog.restorePoint(point.run.id))?.findings ?? {};
      const all = await catalog.restorePointObjects(point.run.id);
      const shown = all.filter(({ object }) => kinds.length === 0 || kinds.includes(object.kind));
      output.rows(
        shown.map(({ object: { key, kind, name, address, lost }, revision }) => ({
          kind,
          name,
          address,
          key,
          revision,
          state: flags[key] ?? null,
          lost: lost.length || null,
        })),
        'The restore point has no such objects. Without --kinds all are listed.',
      );
      return 'Success';
    }),
};
