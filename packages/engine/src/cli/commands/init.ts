import { createRepository } from '../../engine.ts';
import { requireEmptyPlace } from '../../repository/open-repository.ts';
import type { Command } from '../command.ts';
import { openGivenStore, PLACE_OPTIONS, readPassword, readPlace } from '../open-parts.ts';

export const init: Command = {
  words: '',
  options: PLACE_OPTIONS,
  examples: [
    ['-r /srv/backup/contoso --password-file contoso.password', 'in a folder'],
    [
      "-r 's3://bucket/contoso?endpoint=https://s3.example'",
      'in a bucket; keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    [
      "-r 's3://bucket/contoso?lock-days=30'",
      'in a bucket with object lock: what is written cannot be deleted for 30 days; to be given in every command',
    ],
  ],
  async run(context) {
    const password = await readPassword(context);
    const store = await openGivenStore(context, { isNew: true });
    try {
      await requireEmptyPlace(await readPlace(context), store);
      const repository = await createRepository(store, password);
      const { id, description } = repository;
      const text = `Repository ${id} made in ${description}.\nKeep its password safe, and not beside it: without it nothing can ever be read.`;
      context.output.say(text, { repository: id, place: description });
      return 'Success';
    } finally {
      await store.close();
    }
  },
};
