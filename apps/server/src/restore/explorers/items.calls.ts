import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { refusing } from '../engine-refusal.ts';
import { requireAbility } from '../items/require-ability.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import { recordSearch } from './audited.ts';
import { searchSession } from './search-session.ts';

/** Finding items of a session. */
export function itemCalls(services: RestoreServices): Route[] {
  return [search(services)];
}

function search(services: RestoreServices): Route {
  return answer(searchRestoreSession, (context, { params, query }) =>
    context.outside((gone) =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        requireAbility(context, opened.session.sessionType);
        const { dateFrom, dateTo, types, deletedOnly, ...words } = query;
        const dates = {
          ...(dateFrom === undefined ? {} : { dateFrom: new Date(dateFrom) }),
          ...(dateTo === undefined ? {} : { dateTo: new Date(dateTo) }),
        };
        const { limit, after, ...asked } = words;
        await recordSearch(context, opened, { ...asked, types, deletedOnly, isLaterPage: after !== undefined });
        const isDeleted = deletedOnly ? { isDeleted: true } : {};
        const search = { ...defined(words), ...dates, ...isDeleted, types, allTime: query.allTime, limit };
        return searchSession(services.secrets, opened, search, gone);
      }),
    ),
  );
}

type Defined<Of> = { [Name in keyof Of]?: Exclude<Of[Name], undefined> };

/** The fields that were given: the engine takes a field without a value for a filter. */
function defined<Of extends object>(given: Of): Defined<Of> {
  const known: Defined<Of> = {};
  for (const name of Object.keys(given) as (keyof Of)[]) {
    const value = given[name];
    if (value !== undefined) known[name] = value as Exclude<Of[keyof Of], undefined>;
  }
  return known;
}
