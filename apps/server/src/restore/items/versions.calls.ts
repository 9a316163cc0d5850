import { compareRestorePoints, listItemVersions } from '@keepwatch/contract/restore/versions';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { compareSessions } from '../compare/compare-sessions.ts';
import { refusing } from '../engine-refusal.ts';
import { recordLook } from '../explorers/audited.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import { versionRows } from './item-versions.ts';
import { lookAtItem } from './look-at-item.ts';
import { requireAbility } from './require-ability.ts';

/** What changed over time. */
export function versionCalls(services: RestoreServices): Route[] {
  return [
    answer(listItemVersions, (context, { params, query }) =>
      lookAtItem(services, context, params.restoreSessionId, query, async (item) => {
        await recordLook(context, item.opened, { object: item.found.object.name, item: item.item.name });
        return versionRows(item);
      }),
    ),
    answer(compareRestorePoints, (context, { params, query }) =>
      context.outside((gone) =>
        refusing(async () => {
          const opened = await openSession(services, context, params.restoreSessionId);
          const other = await openSession(services, context, query.otherSessionId);
          requireAbility(context, opened.session.sessionType);
          const { name, page } = await compareSessions({ opened, other }, query, gone);
          if (query.after === undefined)
            await recordLook(context, opened, { object: name, comparedWith: other.session.at });
          return page;
        }),
      ),
    ),
  ];
}
