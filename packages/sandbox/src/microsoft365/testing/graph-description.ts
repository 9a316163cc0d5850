import { existsSync, readFileSync } from 'node:fs';
import { vendorFile } from '../../testing/vendor-description.ts';
import { isObject, type JsonObject, valueAt } from '../wire/json.ts';

const file = vendorFile('msgraph-v1.0.subset.openapi.json');

/** Whether the vendor's description is at hand; without it replies cannot be checked against it. */
export const isDescribed = existsSync(file);

/** Checks entities against the types of the vendor's published description: unknown names, and values of a wrong type. */
export class GraphDescription {
  private readonly schemas: JsonObject;

  constructor() {
    const schemas = valueAt(JSON.parse(readFileSync(file, 'utf8')), 'components/schemas');
    if (!isObject(schemas)) throw new Error(`${file} has no schemas`);
    this.schemas = schemas;
  }

  /** What is wrong with an entity of a type such as `driveItem`; annotations and open types are left alone. */
  faultsOf(type: string, entity: unknown): string[] {
    return this.check({ $ref: `#/components/schemas/microsoft.graph.${type}` }, entity, type);
  }

  private check(schema: unknown, value: unknown, where: string): string[] {
    if (value === null || value === undefined || !isObject(schema)) return [];
    const reference = schema['$ref'];
    if (typeof reference === 'string') return this.checkNamed(reference.split('/').at(-1) ?? '', value, where);
    const choice = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(choice)) {
      const found = choice.map((entry) => this.check(entry, value, where));
      return found.find((faults) => faults.length === 0) ?? found[0] ?? [];
    }
    if (schema['type'] === 'array') {
      if (!Array.isArray(value)) return [`${where} is no list`];
      return value.flatMap((entry) => this.check(schema['items'], entry, `${where}[]`));
    }
    return isOfType(schema, value)
      ? []
      : [`${where} is not of type ${String(schema['type'])}: ${JSON.stringify(value)}`];
  }

  private checkNamed(name: string, value: unknown, where: string): string[] {
    const schema = this.schemas[name];
    if (isObject(schema) && Array.isArray(schema['enum'])) {
      return schema['enum'].includes(value) ? [] : [`${where} is not one of ${name}: ${JSON.stringify(value)}`];
    }
    if (!isObject(value)) return [`${where} is no object`];
    const properties = this.propertiesOf(derivedName(name, value, this.schemas));
    return Object.entries(value).flatMap(([key, entry]) => {
      if (key.includes('@')) return [];
      if (!(key in properties)) return isOpen(name) ? [] : [`${where}.${key} is unknown to ${name}`];
      return this.check(properties[key], entry, `${where}.${key}`);
    });
  }

  private propertiesOf(name: string): JsonObject {
    const schema = this.schemas[name];
    if (!isObject(schema)) return {};
    const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : [schema];
    let properties: JsonObject = {};
    for (const part of parts.filter(isObject)) {
      const base = part['$ref'];
      if (typeof base === 'string') properties = { ...this.propertiesOf(base.split('/').at(-1) ?? ''), ...properties };
      if (isObject(part['properties'])) properties = { ...properties, ...part['properties'] };
    }
    return properties;
  }
}

/** An entity may say that it is of a derived type. */
function derivedName(name: string, value: JsonObject, schemas: JsonObject): string {
  const derived = String(value['@odata.type'] ?? '').replace('#', '');
  return derived in schemas ? derived : name;
}

/** The fields of a list item are whatever its list's columns are. */
const isOpen = (name: string) => name.endsWith('.fieldValueSet');

function isOfType(schema: JsonObject, value: unknown): boolean {
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string' && (schema['format'] !== 'date-time' || !Number.isNaN(Date.parse(value)));
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return true;
  }
}
