import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

/** Returns what in a value is not as a schema of a published description says: the schema by its place in the document. */
export function schemaFaults(published: unknown): (place: string, value: unknown) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, unicodeRegExp: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'vendor', ...Object(published) });
  return (place, value) => {
    const validate = ajv.compile({ $ref: `vendor${place}` });
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath}: ${error.message}`);
  };
}
