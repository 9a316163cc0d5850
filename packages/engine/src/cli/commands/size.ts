import { weighScope } from '../../browse/item-scope.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { byteText } from '../output.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';

export const size: Command = {
  name: 'size',
  words: '',
  summary: 'Says how many items and bytes an export or a restore would move.',
  options: { ...REPOSITORY_OPTIONS, ...ITEM_OPTIONS },
  run: (context) =>
    withParts(context, async ({ catalog }) => {
      const scope = await pickItems(catalog, context.given);
      const { items, bytes } = await weighScope(catalog, scope);
      context.output.say(`${items} items, ${byteText(bytes)}.`, { object: scope.object.key, items, bytes });
      return 'Success';
    }),
};
