import { EngineError } from '../../../model/engine-error.ts';
import type { FoundSetting, NewSetting, SettingsTarget } from '../../settings-target.ts';
import type { Written } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../json.ts';
import { paged, path, SINGLE } from '../mailbox/mailbox-paths.ts';
import { changeOf, differencesOf, leftAsIs } from './change-of-setting.ts';
import { SETTING_WRITERS } from './setting-writers.ts';

/** The settings of a person's mailbox in Microsoft 365. */
export class GraphSettings implements SettingsTarget {
  private readonly connection: GraphConnection;
  private readonly user: string;

  constructor(connection: GraphConnection, user: string) {
    this.connection = connection;
    this.user = user;
  }

  async find(setting: NewSetting, signal: AbortSignal): Promise<FoundSetting[]> {
    const { kind, properties } = setting;
    const writer = SETTING_WRITERS[kind];
    const there = (await this.all(setting, signal)).filter((one) => writer.nameOf(one) === writer.nameOf(properties));
    return there.map((one) => ({
      id: textOf(one['id']) ?? kind,
      modifiedAt: null,
      isUnchanged: differencesOf(writer, properties, one).length === 0,
    }));
  }

  async create(setting: NewSetting, signal: AbortSignal): Promise<Written> {
    const writer = SETTING_WRITERS[setting.kind];
    if (setting.kind !== 'inbox-rule' && (await this.find(setting, signal)).length > 0)
      throw new EngineError(
        'source-refused',
        `There can be one '${setting.name}' alone, and there is another. Restore it again with what is there being replaced.`,
      );
    if (setting.kind === 'inbox-rule' && !isObject(setting.properties['actions']))
      throw new EngineError(
        'source-refused',
        `Microsoft 365 did not give out what the rule '${setting.name}' does. Make it in Outlook.`,
      );
    const body = picked(setting.properties, writer.creatable);
    const made = await this.connection.ask({
      method: 'POST',
      path: await this.pathOf(setting, signal),
      headers: SINGLE,
      body,
      signal,
    });
    return { id: textOf(made['id']) ?? '', losses: [] };
  }

  async replace(id: string, setting: NewSetting, signal: AbortSignal): Promise<Written> {
    const { kind, name, properties } = setting;
    const writer = SETTING_WRITERS[kind];
    const base = await this.pathOf(setting, signal);
    const call = writer.isSingle === true ? base : `${base}/${encodeURIComponent(id)}`;
    const there = await this.one(setting, id, signal);
    if (there['isReadOnly'] === true)
      throw new EngineError('source-refused', `The rule '${name}' is read-only: Outlook alone can change it.`);
    const { body, losses } = changeOf(writer, properties, there);
    if (Object.keys(body).length > 0)
      await this.connection.ask({ method: 'PATCH', path: call, headers: SINGLE, body, signal });
    return { id, losses: [...losses, ...leftAsIs(writer, properties, await this.one(setting, id, signal))] };
  }

  private async one(setting: NewSetting, id: string, signal: AbortSignal): Promise<JsonObject> {
    const all = await this.all(setting, signal);
    const found = SETTING_WRITERS[setting.kind].isSingle === true ? all[0] : all.find((one) => one['id'] === id);
    if (found !== undefined) return found;
    throw new EngineError('not-found', 'The setting was deleted while it was to be replaced. Restore it again.');
  }

  /** Where those of its kind are; of a calendar that was made again since, by its name. `null`: there is no such calendar. */
  private async placeOf({ kind, properties }: NewSetting, signal: AbortSignal): Promise<string | null> {
    const writer = SETTING_WRITERS[kind];
    const calendar = objectOf(properties['calendar']);
    if (writer.isOfCalendar !== true || textOf(calendar['id']) === undefined) return writer.path(this.user);
    const there = await this.listed(path`/users/${this.user}/calendars`, signal);
    const same = there.find(({ id }) => id === calendar['id']) ?? there.find((one) => one['name'] === calendar['name']);
    if (same === undefined) return null;
    return path`/users/${this.user}/calendars/${textOf(same['id']) ?? ''}/calendarPermissions`;
  }

  private async pathOf(setting: NewSetting, signal: AbortSignal): Promise<string> {
    const at = await this.placeOf(setting, signal);
    if (at !== null) return at;
    throw new EngineError(
      'not-found',
      `The calendar of ‘${setting.name}’ is not there. Restore it first, and this again.`,
    );
  }

  private async all(setting: NewSetting, signal: AbortSignal): Promise<JsonObject[]> {
    const at = await this.placeOf(setting, signal);
    if (at === null) return [];
    if (SETTING_WRITERS[setting.kind].isSingle !== true) return this.listed(at, signal);
    return [await this.connection.ask({ path: at, headers: SINGLE, signal })];
  }

  private async listed(at: string, signal: AbortSignal): Promise<JsonObject[]> {
    const call = { path: at, headers: paged(100), signal };
    const found: JsonObject[] = [];
    for await (const { value } of this.connection.pages(call)) found.push(...value);
    return found;
  }
}

function picked(properties: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => properties[name] !== undefined && properties[name] !== null);
  return Object.fromEntries(there.map((name) => [name, properties[name]]));
}
