import type { ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import type { Exchange } from './recording-proxy.ts';

/** The part of an OpenAPI 3.0 document that is checked against. */
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  responses: z.record(
    z.string(),
    z.object({ content: z.record(z.string(), z.object({ schema: z.object({ $ref: z.string() }) })).optional() }),
  ),
});

/** What every collection of the vendor accepts beside its listed parameters, as the description itself says. */
const GENERAL_PARAMETERS = ['filter', 'sort', 'select'];

export interface PublishedDescription {
  /** What in an exchange is not as the vendor describes it; empty when all is. */
  faultsOf(exchange: Exchange): string[];
}

/** @param published a vendor's OpenAPI 3.0 document, parsed; its paths are below `basePath` */
export function publishedDescription(published: unknown, basePath: string): PublishedDescription {
  const document = documentSchema.parse(published);
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'vendor', components: strict(document.components) });
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(reference: string): ValidateFunction {
    const known = validators.get(reference);
    if (known) return known;
    const made = ajv.compile({ $ref: `vendor${reference}` });
    validators.set(reference, made);
    return made;
  }

  function faultsOf({ method, url, status, body }: Exchange): string[] {
    const path = url.pathname.slice(basePath.length);
    const template = Object.keys(document.paths).find((known) => pathPattern(known).test(path));
    const raw = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
    if (raw === undefined) return [`${method} ${path} is not described`];
    const operation = operationSchema.parse(raw);
    const names = [...operation.parameters.map((parameter) => parameter.name), ...GENERAL_PARAMETERS];
    const faults = [...url.searchParams.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `${method} ${path}: query parameter ${name} is not described`);

    const response = operation.responses[String(status)] ?? operation.responses.default;
    if (!response) return [...faults, `${method} ${path}: status ${status} is not described`];
    const reference = response.content?.['application/json']?.schema.$ref;
    if (!reference) return faults;
    const validate = validatorOf(reference);
    if (validate(body)) return faults;
    const found = (validate.errors ?? []).slice(0, 5);
    return [
      ...faults,
      ...found.map(
        (error) => `${method} ${path}${error.instancePath}: ${error.message} ${JSON.stringify(error.params)}`,
      ),
    ];
  }

  return { faultsOf };
}

function pathPattern(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** OpenAPI 3.0's `nullable` in the words of JSON Schema, and no property that is not described. */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, example, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, strict(value)]),
  );
  const isObject = rest.type === 'object' && typeof rest.properties === 'object' && !('additionalProperties' in rest);
  const schema = isObject ? { ...rest, additionalProperties: false } : rest;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
