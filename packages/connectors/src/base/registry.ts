import { ConnectorError } from './connector-error.ts';
import type { Manifest, Testable } from './manifest.ts';

/** A connector before it is loaded: what a form offers to choose from, and its code. */
export interface Entry<Port extends Testable> {
  label: string;
  load(): Promise<{ manifest: Manifest<Port> }>;
}

/** A port: what its connections are used for, in words, and its connectors by kind. */
export interface PortEntry<Port extends Testable> {
  label: string;
  kinds: Readonly<Record<string, Entry<Port>>>;
}

/** The connectors of some ports. */
export type ConnectorTable<Ports extends Record<keyof Ports, Testable>> = {
  readonly [Name in keyof Ports]: PortEntry<Ports[Name]>;
};

export interface ConnectorKind {
  kind: string;
  label: string;
}

/** Finds connectors by port and kind, and loads each when it is first needed. Tests have those of the ports that they are about. */
export class Connectors<Ports extends Record<keyof Ports, Testable>> {
  readonly #ports: Readonly<Record<string, PortEntry<Testable> | undefined>>;

  constructor(table: Partial<ConnectorTable<Ports>>) {
    this.#ports = table;
  }

  get ports(): readonly string[] {
    return Object.keys(this.#ports);
  }

  /** What connections of a stored port are used for; the port itself where this version does not have it. */
  purposeOf(port: string): string {
    return own(this.#ports, port)?.label ?? port;
  }

  /** Kinds and labels, to choose from; loads nothing. A port that is none has no kinds. */
  kindsOf(port: string): readonly ConnectorKind[] {
    return Object.entries(this.#kindsOf(port)).map(([kind, { label }]) => ({ kind, label }));
  }

  /** The label of a stored kind; the kind itself where this version has no connector of it. */
  labelOf(port: string, kind: string): string {
    return own(this.#kindsOf(port), kind)?.label ?? kind;
  }

  /** Loads a connector's manifest. Throws a `ConnectorError` for a port or a kind that is none, naming those there are. */
  load<Name extends keyof Ports & string>(port: Name, kind: string): Promise<Manifest<Ports[Name]>>;
  load(port: string, kind: string): Promise<Manifest<Testable>>;
  async load(port: string, kind: string): Promise<Manifest<Testable>> {
    const entry = own(this.#kindsOf(port), kind);
    if (entry !== undefined) return (await entry.load()).manifest;
    const known = this.kindsOf(port).map((connector) => connector.kind);
    const message = `There is no connector "${kind}" for ${port}; there are: ${known.join(', ') || 'none'}.`;
    throw new ConnectorError('wrong-version', `${message} Use a version of this portal that has it.`);
  }

  #kindsOf(port: string): PortEntry<Testable>['kinds'] {
    return own(this.#ports, port)?.kinds ?? {};
  }
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
