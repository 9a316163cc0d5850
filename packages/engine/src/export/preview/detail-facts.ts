import type { ItemVersion } from '../../model/items.ts';
import { type Fact, factsOf, instantFacts } from './preview.ts';

const WITHOUT: Readonly<Record<string, string>> = {
  malware: 'Microsoft found malware in it and does not give it out',
  link: 'It is a link to another drive',
  package: 'It is a notebook, whose parts are in the folder of its name',
};

/** What the lists know of an item. */
export function detailFacts({ modifiedAt, details }: ItemVersion): Fact[] {
  const { from, createdAt, version, webUrl, role, without } = details;
  return [
    ...factsOf({ 'Modified by': from }),
    ...instantFacts({ Modified: modifiedAt, Created: createdAt === undefined ? null : new Date(createdAt) }),
    ...factsOf({
      Version: version,
      Type: role,
      Address: webUrl,
      'Without content': without === undefined ? null : (WITHOUT[without] ?? without),
    }),
  ];
}
