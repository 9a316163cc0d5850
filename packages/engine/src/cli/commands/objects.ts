import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { PICK_OPTIONS, pickRestorePoint } from '../pick.ts';

export const objects: Command = {
  name: 'objects',
  words: '',
  summary: 'Lists the mailboxes, drives, sites and teams of a restore point.',
  options: { ...REPOSITORY_OPTIONS, 'restore-point': PICK_OPTIONS['restore-point'] ?? { type: 'string', help: '' } },
  run: (context) =>
    withParts(context, async ({ catalog }) => {
      const point = await pickRestorePoint(catalog, context.given);
      const all = await catalog.restorePointObjects(point.run.id);
      context.output.rows(
        all.map(({ object: { key, kind, name, address }, revision }) => ({ key, kind, name, address, revision })),
      );
      return 'Success';
    }),
};
