import { type Collation, collations, compareValues } from './collation.ts';
import { badParameter, VendorError } from './errors.ts';
import { type Entity, isKnownProperty, propertyAt } from './property.ts';

/** The `FilterExpression` of the published description. */
interface Expression {
  operation: string;
  property: string;
  value: unknown;
  collation: Collation;
  items: Expression[];
}

type Test = (found: unknown, expected: unknown, collation: Collation) => boolean;

const order = (accepts: (difference: number) => boolean): Test => {
  return (found, expected, collation) => {
    const difference = compareValues(found, expected, collation);
    return difference !== undefined && accepts(difference);
  };
};
const equals = order((difference) => difference === 0);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const includes = (list: unknown, value: unknown, collation: Collation) =>
  listOf(list).some((entry) => equals(entry, value, collation));

const comparisons = new Map<string, Test>([
  ['equals', equals],
  ['notEquals', (found, expected, collation) => !equals(found, expected, collation)],
  ['lessThan', order((difference) => difference < 0)],
  ['lessThanOrEqual', order((difference) => difference <= 0)],
  ['greaterThan', order((difference) => difference > 0)],
  ['greaterThanOrEqual', order((difference) => difference >= 0)],
  ['in', (found, expected, collation) => includes(expected, found, collation)],
  ['contains', contains],
  ['subset', (found, expected, collation) => listOf(found).every((entry) => includes(expected, entry, collation))],
  ['superset', (found, expected, collation) => listOf(expected).every((entry) => includes(found, entry, collation))],
]);
const combinations = ['and', 'or', 'not', 'exclusiveOr'];

/**
 * Returns the entities that match a `filter` parameter: a list of expressions that must all be true.
 * @throws VendorError 400 when the parameter is no such list, or names a property the entities do not have
 */
export function applyFilter<T extends Entity>(entities: readonly T[], parameter: string): T[] {
  const expressions = readExpressions(parameter);
  for (const expression of expressions) checkProperties(expression, entities);
  return entities.filter((entity) => expressions.every((expression) => matches(entity, expression)));
}

function matches(entity: Entity, expression: Expression): boolean {
  const { operation, items } = expression;
  if (operation === 'and') return items.every((item) => matches(entity, item));
  if (operation === 'or') return items.some((item) => matches(entity, item));
  if (operation === 'not') return !items.every((item) => matches(entity, item));
  if (operation === 'exclusiveOr') return items.filter((item) => matches(entity, item)).length === 1;
  const test = comparisons.get(operation);
  return test?.(propertyAt(entity, expression.property), expression.value, expression.collation) ?? false;
}

function contains(found: unknown, expected: unknown, collation: Collation): boolean {
  if (Array.isArray(found)) return includes(found, expected, collation);
  if (typeof found !== 'string' || typeof expected !== 'string') return false;
  return collation === 'ordinal' ? found.includes(expected) : found.toLowerCase().includes(expected.toLowerCase());
}

function readExpressions(parameter: string): Expression[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(parameter);
  } catch {
    throw badParameter('filter', 'Filter expression is not valid JSON.');
  }
  return listOf(parsed).map((entry) => readExpression(entry, 1));
}

function readExpression(entry: unknown, depth: number): Expression {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry) || depth > 8) {
    throw badParameter('filter', 'Filter expression must be an object with the property operation.');
  }
  const operation = propertyAt(entry, 'operation');
  if (typeof operation !== 'string' || !(comparisons.has(operation) || combinations.includes(operation))) {
    throw badParameter('filter', `Filter operation '${String(operation)}' is not supported.`);
  }
  const property = propertyAt(entry, 'property') ?? '';
  const named = propertyAt(entry, 'collation') ?? 'ordinal';
  const collation = collations.find((known) => known === named);
  if (typeof property !== 'string' || !collation) {
    throw badParameter('filter', `Filter collation or property of operation '${operation}' is not valid.`);
  }
  const items = propertyAt(entry, 'items');
  return {
    operation,
    property,
    value: propertyAt(entry, 'value') ?? null,
    collation,
    items: Array.isArray(items) ? items.map((item: unknown) => readExpression(item, depth + 1)) : [],
  };
}

function checkProperties(expression: Expression, entities: readonly Entity[]): void {
  for (const item of expression.items) checkProperties(item, entities);
  if (combinations.includes(expression.operation) || isKnownProperty(entities, expression.property)) return;
  throw new VendorError(400, 'logical', `Property '${expression.property}' was not found in the resource.`, {
    propertyName: expression.property,
  });
}
