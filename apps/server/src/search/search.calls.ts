import { search } from '@keepwatch/contract/search/search';
import { answer, type Route } from '../foundation/http/routes.ts';
import { searchNames } from './search.ts';

export const searchCalls: Route[] = [
  answer(search, async ({ database, actor, scope }, { query }) => ({
    data: await searchNames(database, actor, { scope, text: query.text }),
  })),
];
