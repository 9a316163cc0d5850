import * as z from 'zod/mini';

/** The first of these that a schema of a text accepts is its example. */
const TEXTS = [
  'Example',
  '00000000-0000-4000-8000-000000000001',
  '2026-01-31T08:30:00.000Z',
  '2026-01-31',
  '22:00',
  'user@example.com',
  'portal.example.com',
  'https://portal.example.com/',
  '#2563eb',
  '/monitoring/dashboard',
  'keepwatch-20260131T083000Z.backup',
  '10',
  '123456',
  '+1 500 555 0006',
  'true',
  'an example of a longer text',
];
const NUMBERS = [1, 10, 0, 0.5, 100];

/**
 * An example of what a schema accepts, made from the schema: the fullest one that is valid. Fields that exclude each other are left
 * out. Throws where it finds none.
 */
export function exampleOf(schema: z.core.$ZodType): unknown {
  const found = candidatesOf(schema).find((candidate) => z.safeParse(schema, candidate).success);
  if (found === undefined) throw new Error(`No example of the schema is valid: ${schema._zod.def.type}.`);
  return found;
}

function candidatesOf(schema: z.core.$ZodType): readonly unknown[] {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  switch (def.type) {
    case 'object':
      return objectsOf(def.shape);
    case 'optional':
    case 'default':
    case 'nullable':
      return [exampleOf(def.innerType)];
    case 'pipe':
      return def.in._zod.def.type === 'transform' ? candidatesOf(def.out) : [...candidatesOf(def.in), ...TEXTS];
    case 'union':
      return def.options.flatMap(candidatesOf);
    case 'array': {
      const example = exampleOf(def.element);
      return [[example], [], Array.from({ length: leastOf(schema) }, () => example)];
    }
    case 'record':
      return [{ [String(exampleOf(def.keyType))]: exampleOf(def.valueType) }, {}];
    case 'enum':
      return Object.values(def.entries);
    case 'literal':
      return def.values;
    case 'boolean':
      return [true];
    case 'number':
      return NUMBERS;
    default:
      return TEXTS;
  }
}

/** How many elements a list must have, where it says so. */
function leastOf({ _zod }: z.core.$ZodType): number {
  const found = (_zod.def.checks ?? []).flatMap(({ _zod: { def } }) => {
    if ('length' in def) return [def.length];
    return 'minimum' in def ? [def.minimum] : [];
  });
  return Math.max(0, ...found.filter((length): length is number => typeof length === 'number'));
}

/** With all fields; else with those that are required, alone or with one of the others. */
function objectsOf(shape: Readonly<Record<string, z.core.$ZodType>>): readonly object[] {
  const fields = Object.entries(shape).map(([name, inner]) => [name, exampleOf(inner)] as const);
  const isRequired = (name: string) => shape[name]?._zod.optin !== 'optional';
  const required = fields.filter(([name]) => isRequired(name));
  const others = fields.filter(([name]) => !isRequired(name));
  return [fields, required, ...others.map((field) => [...required, field])].map((chosen) => Object.fromEntries(chosen));
}
