import type { Command } from '../command.ts';
import { openGivenRepository, REPOSITORY_OPTIONS, readPassword } from '../open-parts.ts';

export const password: Command = {
  name: 'password',
  words: '',
  summary: 'Changes the password. No data is rewritten.',
  options: {
    ...REPOSITORY_OPTIONS,
    'new-password-file': { type: 'string', help: 'file with the new password on its first line' },
  },
  async run(context) {
    context.given.required('new-password-file');
    const repository = await openGivenRepository(context);
    await repository.changePassword(await readPassword(context), await readPassword(context, 'new-password-file'));
    context.output.say('The password was changed. The old one opens nothing any more.', { repository: repository.id });
    await repository.close();
    return 'Success';
  },
};
