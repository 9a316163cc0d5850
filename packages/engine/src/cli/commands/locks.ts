import type { Command } from '../command.ts';
import { PLACE_OPTIONS, withRepository } from '../open-parts.ts';
import type { Row } from '../text/table.ts';

export const locks: Command = {
  words: '',
  options: PLACE_OPTIONS,
  examples: [['', 'who works in the repository now']],
  run: (context) =>
    withRepository(context, async (repository) => {
      const rows: Row[] = [];
      for await (const { kind, program, host, process, since, fallsAt } of repository.listLocks())
        rows.push({
          work: kind === 'shared' ? 'writes' : 'deletes',
          program,
          host,
          process,
          since,
          'falls if dead': fallsAt,
        });
      context.output.rows(rows, 'No process is working in the repository.');
      return 'Success';
    }),
};
