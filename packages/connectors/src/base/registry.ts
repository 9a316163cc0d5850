import type { Manifest, Testable } from './manifest.ts';

/** A connector before it is loaded: what a form offers to choose from, and its code. */
export interface Entry<Port extends Testable> {
  label: string;
  load(): Promise<{ manifest: Manifest<Port> }>;
}

/** The connectors of some ports: by port, then by kind. */
export type ConnectorTable<Ports extends Record<keyof Ports, Testable>> = {
  readonly [Name in keyof Ports]: Readonly<Record<string, Entry<Ports[Name]>>>;
};

export interface ConnectorKind {
  kind: string;
  label: string;
}

/** Finds connectors by port and kind, and loads each when it is first needed. */
export class Connectors<Ports extends Record<keyof Ports, Testable>> {
  readonly #ports: Readonly<Record<string, Readonly<Record<string, Entry<Testable>>>>>;

  constructor(table: ConnectorTable<Ports>) {
    this.#ports = table;
  }

  get ports(): readonly string[] {
    return Object.keys(this.#ports);
  }

  /** Kinds and labels, to choose from; loads nothing. A port that is none has no kinds. */
  kindsOf(port: string): readonly ConnectorKind[] {
    return Object.entries(own(this.#ports, port) ?? {}).map(([kind, { label }]) => ({ kind, label }));
  }

  /** The label of a stored kind; the kind itself where this version has no connector of it. */
  labelOf(port: string, kind: string): string {
    return own(own(this.#ports, port) ?? {}, kind)?.label ?? kind;
  }

  /** Loads a connector's manifest. Throws for a port or a kind that is none, naming those there are. */
  load<Name extends keyof Ports & string>(port: Name, kind: string): Promise<Manifest<Ports[Name]>>;
  load(port: string, kind: string): Promise<Manifest<Testable>>;
  async load(port: string, kind: string): Promise<Manifest<Testable>> {
    const entry = own(own(this.#ports, port) ?? {}, kind);
    if (entry !== undefined) return (await entry.load()).manifest;
    const known = this.kindsOf(port).map((connector) => connector.kind);
    throw new Error(`There is no connector "${kind}" for ${port}; there are: ${known.join(', ') || 'none'}`);
  }
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
