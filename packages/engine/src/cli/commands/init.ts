import { createRepository } from '../../repository/open-repository.ts';
import { openStore } from '../../store/open-store.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, readPassword, repositoryPlace } from '../open-parts.ts';

export const init: Command = {
  name: 'init',
  words: '',
  summary: 'Makes a repository in an empty folder or bucket.',
  options: REPOSITORY_OPTIONS,
  async run(context) {
    const store = await openStore(repositoryPlace(context), context.environment);
    const repository = await createRepository(store, await readPassword(context));
    const text = `Repository ${repository.id} made in ${repository.description}. Keep its password safe: without it nothing can ever be read.`;
    context.output.say(text, { repository: repository.id, place: repository.description });
    await repository.close();
    return 'Success';
  },
};
