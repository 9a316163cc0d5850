import { EngineError } from '../../../model/engine-error.ts';
import type { FoundSetting, NewSetting, SettingsTarget } from '../../settings-target.ts';
import type { Written } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import { SINGLE } from '../mailbox/mailbox-paths.ts';
import { changeOf, differencesOf, leftAsIs } from './change-of-setting.ts';
import { SETTING_WRITERS, type SettingWriter } from './setting-writers.ts';

/** The settings of a person's mailbox in Microsoft 365. */
export class GraphSettings implements SettingsTarget {
  private readonly connection: GraphConnection;
  private readonly user: string;

  constructor(connection: GraphConnection, user: string) {
    this.connection = connection;
    this.user = user;
  }

  async find({ kind, properties }: NewSetting, signal: AbortSignal): Promise<FoundSetting[]> {
    const writer = SETTING_WRITERS[kind];
    const there = (await this.all(writer, signal)).filter((one) => writer.nameOf(one) === writer.nameOf(properties));
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
        `There can be one '${setting.name}' alone. Restore it with --conflict replace.`,
      );
    if (setting.kind === 'inbox-rule' && !isObject(setting.properties['actions']))
      throw new EngineError(
        'source-refused',
        `Microsoft 365 did not give out what the rule '${setting.name}' does. Make it in Outlook.`,
      );
    const body = picked(setting.properties, writer.creatable);
    const made = await this.connection.ask({
      method: 'POST',
      path: writer.path(this.user),
      headers: SINGLE,
      body,
      signal,
    });
    return { id: textOf(made['id']) ?? '', losses: [] };
  }

  async replace(id: string, { kind, name, properties }: NewSetting, signal: AbortSignal): Promise<Written> {
    const writer = SETTING_WRITERS[kind];
    const base = writer.path(this.user);
    const call = writer.isSingle === true ? base : `${base}/${encodeURIComponent(id)}`;
    const there = await this.one(writer, id, signal);
    if (there['isReadOnly'] === true)
      throw new EngineError('source-refused', `The rule '${name}' is read-only: Outlook alone can change it.`);
    const { body, losses } = changeOf(writer, properties, there);
    if (Object.keys(body).length > 0)
      await this.connection.ask({ method: 'PATCH', path: call, headers: SINGLE, body, signal });
    return { id, losses: [...losses, ...leftAsIs(writer, properties, await this.one(writer, id, signal))] };
  }

  private async one(writer: SettingWriter, id: string, signal: AbortSignal): Promise<JsonObject> {
    const all = await this.all(writer, signal);
    const found = writer.isSingle === true ? all[0] : all.find((one) => one['id'] === id);
    if (found !== undefined) return found;
    throw new EngineError('not-found', 'The setting was deleted while it was to be replaced. Restore it again.');
  }

  private async all({ path: of, isSingle }: SettingWriter, signal: AbortSignal): Promise<JsonObject[]> {
    const call = { path: of(this.user), headers: SINGLE, signal };
    if (isSingle === true) return [await this.connection.ask(call)];
    const found: JsonObject[] = [];
    for await (const { value } of this.connection.pages(call)) found.push(...value);
    return found;
  }
}

function picked(properties: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => properties[name] !== undefined && properties[name] !== null);
  return Object.fromEntries(there.map((name) => [name, properties[name]]));
}
