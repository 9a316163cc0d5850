import { weighScope } from '../../browse/item-scope.ts';
import { counted } from '../../model/counted.ts';
import type { Command } from '../command.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';
import { SHOWING_OPTIONS, withShownParts } from '../present-parts.ts';
import { byteText } from '../text/byte-text.ts';

export const size: Command = {
  words: '',
  options: { ...SHOWING_OPTIONS, ...ITEM_OPTIONS },
  examples: [['--object mailbox/ada@contoso.example --path Inbox', 'how much one folder is']],
  run: (context) =>
    withShownParts(context, async ({ catalog }) => {
      const scope = await pickItems(catalog, context.given);
      const { items, bytes } = await weighScope(catalog, scope);
      context.output.say(`${counted(items, 'item')}, ${byteText(bytes)}.`, { object: scope.object.key, items, bytes });
      return 'Success';
    }),
};
