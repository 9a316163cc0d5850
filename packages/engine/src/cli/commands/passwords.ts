import { EngineError } from '../../model/engine-error.ts';
import type { Command } from '../command.ts';
import { PLACE_OPTIONS, readPassword, readPasswordFile, withRepository } from '../open-parts.ts';

const ACTIONS = ['add', 'change', 'remove'] as const;

export const passwords: Command = {
  words: '[add | change | remove <id>]',
  options: {
    ...PLACE_OPTIONS,
    'new-password-file': { type: 'string', help: 'add, change: file with the new password on its first line' },
    label: { type: 'string', help: 'add: for whom or what it is, such as "technician"' },
  },
  examples: [
    ['', 'which there are'],
    ['change --new-password-file new.password', 'the old one opens nothing any more; no data is rewritten'],
    ['add --new-password-file second.password --label technician', 'both open it'],
    ['remove 0d5f3c2e-8f0a-4b8f-9a53-3f2f6ce5a0b1', 'that one opens nothing any more'],
  ],
  async run(context) {
    const { given, output } = context;
    const [action, id, ...others] = given.words;
    const known = ACTIONS.find((one) => one === action);
    const wordsMax = known === 'remove' ? 2 : 1;
    if ((action !== undefined && known === undefined) || given.words.length > wordsMax || others.length > 0)
      throw new EngineError(
        'bad-request',
        `'passwords ${given.words.join(' ')}' is not known: ${ACTIONS.join(', ')}, or nothing for a list.`,
      );
    if (known === 'remove' && id === undefined)
      throw new EngineError('bad-request', "Say which: 'passwords remove <id>'. 'passwords' lists the ids.");
    const fresh =
      known === 'add' || known === 'change' ? await readPasswordFile(given.required('new-password-file')) : '';
    return withRepository(context, async (repository) => {
      if (known === undefined) {
        output.rows(
          (await repository.passwords()).map(({ id, label, createdAt }) => ({ label, created: createdAt, id })),
        );
        return 'Success';
      }
      if (known === 'add') await repository.addPassword(fresh, given.text('label') ?? 'added');
      else if (known === 'change') await repository.changePassword(await readPassword(context), fresh);
      else await repository.removePassword(id ?? '');
      output.say(DONE[known], { repository: repository.id, done: known });
      return 'Success';
    });
  },
};

const DONE: Readonly<Record<(typeof ACTIONS)[number], string>> = {
  add: 'The password was added. The others stay valid.',
  change: 'The password was changed. The old one opens nothing any more.',
  remove: 'The password was removed. It opens nothing any more.',
};
