import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../../model/engine-error.ts';
import type { FoundSetting, NewSetting, SettingsTarget } from '../../settings-target.ts';
import type { Written } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { type JsonObject, textOf } from '../json.ts';
import { SINGLE } from '../mailbox/mailbox-paths.ts';
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
      isUnchanged: writer.changeable.every((name) => isDeepStrictEqual(given(one, name), given(properties, name))),
    }));
  }

  async create(setting: NewSetting, signal: AbortSignal): Promise<Written> {
    const writer = SETTING_WRITERS[setting.kind];
    if (setting.kind !== 'inbox-rule' && (await this.find(setting, signal)).length > 0)
      throw new EngineError(
        'source-refused',
        `There can be one '${setting.name}' alone, and there is another. Restore it again with what is there being replaced.`,
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

  async replace(id: string, { kind, properties }: NewSetting, signal: AbortSignal): Promise<Written> {
    const writer = SETTING_WRITERS[kind];
    const base = writer.path(this.user);
    const call = writer.isSingle === true ? base : `${base}/${encodeURIComponent(id)}`;
    const body = picked(properties, writer.changeable);
    await this.connection.ask({ method: 'PATCH', path: call, headers: SINGLE, body, signal });
    return { id, losses: [] };
  }

  private async all({ path: of, isSingle }: SettingWriter, signal: AbortSignal): Promise<JsonObject[]> {
    const call = { path: of(this.user), headers: SINGLE, signal };
    if (isSingle === true) return [await this.connection.ask(call)];
    const found: JsonObject[] = [];
    for await (const { value } of this.connection.pages(call)) found.push(...value);
    return found;
  }
}

const given = (entity: JsonObject, name: string) => entity[name] ?? null;

function picked(properties: JsonObject, names: readonly string[]): JsonObject {
  const there = names.filter((name) => properties[name] !== undefined && properties[name] !== null);
  return Object.fromEntries(there.map((name) => [name, properties[name]]));
}
