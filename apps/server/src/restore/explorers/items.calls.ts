import { type Ability, allows } from '@keepwatch/contract/abilities';
import { type ItemPreview, previewItem, searchRestoreSession } from '@keepwatch/contract/restore/items';
import type { SessionType } from '@keepwatch/contract/restore/sessions';
import { type ItemVersion, listParts, preview, type Stored } from '@keepwatch/engine/engine';
import { forbidden } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { refusing } from '../engine-refusal.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSession } from '../sessions/opened-session.ts';
import { recordLook } from './audited.ts';
import { instantText } from './browse-object.ts';
import { requireItem } from './require-items.ts';
import { searchSession } from './search-session.ts';
import { KINDS_OF, requirePlace } from './wire-ids.ts';

/** Finding items of a session, and looking at them. */
export function itemCalls(services: RestoreServices): Route[] {
  return [search(services), look(services)];
}

const ABILITY_OF: Readonly<Record<SessionType, Ability>> = {
  vex: 'o365.restoreOutlook',
  veod: 'o365.restoreOnedrive',
  vesp: 'o365.restoreSharepoint',
  vet: 'o365.restoreTeams',
};

/** The calls are of all explorers; a session is of one. */
function requireAbility({ actor }: SignedInContext, type: SessionType): void {
  if (!allows(actor.roles, ABILITY_OF[type])) throw forbidden();
}

function search(services: RestoreServices): Route {
  return answer(searchRestoreSession, (context, { params, query }) =>
    context.outside((gone) =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        requireAbility(context, opened.session.sessionType);
        const { dateFrom, dateTo, ...words } = query;
        const dates = {
          ...(dateFrom === undefined ? {} : { dateFrom: new Date(dateFrom) }),
          ...(dateTo === undefined ? {} : { dateTo: new Date(dateTo) }),
        };
        if (query.after === undefined) await recordLook(context, opened, { words: query.text, allTime: query.allTime });
        return searchSession(opened, { ...defined(words), ...dates, allTime: query.allTime, limit: query.limit }, gone);
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

function look(services: RestoreServices): Route {
  return answer(previewItem, (context, { params, query }) =>
    context.outside((gone) =>
      refusing(async () => {
        const opened = await openSession(services, context, params.restoreSessionId);
        requireAbility(context, opened.session.sessionType);
        const { found, item: id } = await requirePlace(opened, query.objectId, query.itemId);
        const item = await requireItem(found, id);
        await recordLook(context, opened, { object: found.object.name, item: item.name });
        const isMail = KINDS_OF.vex.includes(item.kind);
        const data = isMail ? await mailPreview(found.stored, item, gone) : await partsOf(found.stored, item, gone);
        return { data: { ...data, id: query.itemId } };
      }),
    ),
  );
}

type Shown = Omit<ItemPreview, 'id'>;

async function mailPreview(stored: Stored, item: ItemVersion, gone: AbortSignal): Promise<Shown> {
  const { from, recipients, sentAt, receivedAt, html, text, isCut, attachments, losses, subject } = await preview(
    stored,
    item,
    gone,
  );
  return {
    type: item.kind,
    name: subject,
    from: from === null ? null : person(from),
    recipients: recipients.map(({ kind, ...who }) => ({ ...person(who), kind })),
    sentAt: instantText(sentAt),
    receivedAt: instantText(receivedAt),
    html,
    text,
    isCut,
    parts: attachments.map(part),
    losses: [...losses],
  };
}

const person = ({ name, address }: { name?: string | undefined; address?: string | undefined }) => ({
  name: name ?? null,
  address: address ?? null,
});

type Part = Awaited<ReturnType<typeof listParts>>[number];

const part = ({ modifiedAt, ...shown }: Part) => ({ ...shown, modifiedAt: instantText(modifiedAt) });

/** Of what has no body of its own: what can be downloaded. */
async function partsOf(stored: Stored, item: ItemVersion, gone: AbortSignal): Promise<Shown> {
  const parts = item.kind === 'file' ? await listParts(stored, item, gone) : [];
  return {
    type: item.kind,
    name: item.name,
    from: item.details.from === undefined ? null : { name: item.details.from, address: null },
    recipients: [],
    sentAt: instantText(item.details.sentAt ?? item.details.createdAt),
    receivedAt: null,
    html: null,
    text: null,
    isCut: false,
    parts: parts.map(part),
    losses: [],
  };
}
