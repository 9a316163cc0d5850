import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** Connections: the outside systems of every port, with their settings. */

/** Longest value of a setting: a certificate chain or a key in a file. */
export const SETTING_LENGTH_MAX = 20_000;

/** Values by the names of their fields, as text: a flag is `true` or `false`, a number decimal digits, a file its content. */
export const settings = z.record(text(50), text(SETTING_LENGTH_MAX));

/** One field of a settings form. A `secret` or a `file` is stored encrypted and never leaves the server again. */
export const settingField = entity(
  'SettingField',
  z.object({
    name: z.string(),
    label: z.string(),
    hint: z.string(),
    kind: z.enum(['text', 'url', 'secret', 'choice', 'flag', 'number', 'file']),
    isRequired: z.boolean(),
    /** Of a choice. */
    options: z.optional(z.array(z.object({ value: z.string(), label: z.string() }))),
    /** Of a number. */
    min: z.optional(z.int()),
    max: z.optional(z.int()),
    /** Of a file: `.pem,.json`. */
    accept: z.optional(z.string()),
  }),
);
export type SettingField = z.infer<typeof settingField>;

export const testOutcome = z.object({
  outcome: z.enum(['works', 'wrong-credentials', 'not-reachable', 'not-allowed', 'wrong-version']),
  /** For the user: what was found, or what is wrong and how to fix it. */
  message: z.string(),
});
export type TestOutcome = z.infer<typeof testOutcome>;

/** Whether a connection works, as of its last test or use. */
const health = z.object({
  state: z.enum(['ok', 'failing']),
  /** When it began to be so. */
  since: instant,
  checkedAt: instant,
  message: z.string(),
});
export type ConnectionHealth = z.infer<typeof health>;

/** Whether connections of this port are created and changed here; those of other ports have screens of their own. */
const isManagedHere = z.boolean();

export const connection = entity(
  'Connection',
  z.object({
    _id: id,
    /** What it is used for: `backup-source`, … */
    port: z.string(),
    /** The same in words. */
    purpose: z.string(),
    kind: z.string(),
    label: z.string(),
    name: z.string(),
    isEnabled: z.boolean(),
    /** Settings that are no secrets. */
    settings,
    /** `null` before it was first tested or used. */
    health: z.nullable(health),
    /** Companies that have an id in it. */
    companies: z.int(),
    isManagedHere,
  }),
);
export type Connection = z.infer<typeof connection>;

export const connectorKind = entity(
  'ConnectorKind',
  z.object({
    port: z.string(),
    purpose: z.string(),
    kind: z.string(),
    label: z.string(),
    settings: z.array(settingField),
    isManagedHere,
  }),
);
export type ConnectorKind = z.infer<typeof connectorKind>;

const access = 'admin.connectors' as const;
const port = text(50);
const kind = text(20);
const connectionFields = {
  name: text(200).check(z.minLength(1)),
  isEnabled: z._default(z.boolean(), true),
  settings,
};

export const listConnectorKinds = declareCall({
  method: 'GET',
  path: '/admin/connector-kinds',
  access,
  ...itemOf(z.array(connectorKind)),
  failure: 'The kinds of connectors could not be read, try again later.',
  summary: 'What can be connected, by port, with the fields of each settings form.',
});

export const listConnections = declareCall({
  method: 'GET',
  path: '/admin/connections',
  access,
  ...itemOf(z.array(connection)),
  failure: 'The connections could not be read, try again later.',
  summary: 'The connected outside systems of every port, and whether they work.',
});

export const testConnection = declareCall({
  method: 'POST',
  path: '/admin/connections/test',
  access,
  audit: null, // It tests settings and changes nothing.
  /** With `connectionId`, secrets that are not given again are those stored for it. */
  body: z.strictObject({ port, kind, settings, connectionId: z.optional(id) }),
  ...itemOf(testOutcome),
  failure: 'The settings could not be tested, try again later.',
  summary: 'Tests settings without saving them.',
});

export const checkConnection = declareCall({
  method: 'POST',
  path: '/admin/connections/{id}/check',
  access,
  audit: 'connection.check',
  params: z.strictObject({ id }),
  ...itemOf(testOutcome),
  failure: 'The connection could not be tested, try again later.',
  summary: 'Tests a connection with its stored settings and records whether it works.',
});

export const createConnection = declareCall({
  method: 'POST',
  path: '/admin/connections',
  access,
  needs: 'session',
  audit: 'connection.create',
  body: z.strictObject({ port, kind, ...connectionFields }),
  ...itemOf(connection),
  failure: 'The connection could not be saved, try again later.',
  summary: 'Connects an outside system; its settings are tested first and it is saved only if they work.',
});

export const editConnection = declareCall({
  method: 'PUT',
  path: '/admin/connections/{id}',
  access,
  needs: 'session',
  audit: 'connection.edit',
  params: z.strictObject({ id }),
  body: z.strictObject(connectionFields),
  ...itemOf(connection),
  failure: 'The connection could not be saved, try again later.',
  summary: 'Changes a connection; secrets that are left out stay as they are.',
});

export const deleteConnection = declareCall({
  method: 'DELETE',
  path: '/admin/connections/{id}',
  access,
  needs: 'session',
  audit: 'connection.delete',
  params: z.strictObject({ id }),
  ...done,
  failure: 'The connection could not be removed, try again later.',
  summary: 'Disconnects an outside system and deletes its secrets.',
});
