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

type Test = (found: unknown, wanted: unknown, collation: Collation) => boolean;

const order = (accepts: (difference: number) => boolean): Test => {
  return (found, wanted, collation) => {
    const difference = compareValues(found, wanted, collation);
    return difference !== undefined && accepts(difference);
  };
};
const equals = order((difference) => difference === 0);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const holds = (list: unknown, value: unknown, collation: Collation) =>
  listOf(list).some((entry) => equals(entry, value, collation));

const comparisons = new Map<string, Test>([
  ['equals', equals],
  ['notEquals', (found, wanted, collation) => !equals(found, wanted, collation)],
  ['lessThan', order((difference) => difference < 0)],
  ['lessThanOrEqual', order((difference) => difference <= 0)],
  ['greaterThan', order((difference) => difference > 0)],
  ['greaterThanOrEqual', order((difference) => difference >= 0)],
  ['in', (found, wanted, collation) => holds(wanted, found, collation)],
  ['contains', contains],
  ['subset', (found, wanted, collation) => listOf(found).every((entry) => holds(wanted, entry, collation))],
  ['superset', (found, wanted, collation) => listOf(wanted).every((entry) => holds(found, entry, collation))],
]);
const combinations = ['and', 'or', 'not', 'exclusiveOr'];

/**
 * Keeps the entities that a `filter` parameter asks for: a list of expressions that must all hold.
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

function contains(found: unknown, wanted: unknown, collation: Collation): boolean {
  if (Array.isArray(found)) return holds(found, wanted, collation);
  if (typeof found !== 'string' || typeof wanted !== 'string') return false;
  return collation === 'ordinal' ? found.includes(wanted) : found.toLowerCase().includes(wanted.toLowerCase());
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
  const wanted = propertyAt(entry, 'collation') ?? 'ordinal';
  const collation = collations.find((known) => known === wanted);
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
