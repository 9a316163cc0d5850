/** The closed set of error types of the published description. */
export type VendorErrorType = 'logical' | 'retryableLogical' | 'security' | 'transport' | 'unspecified';

/** A refusal in the vendor's shape. `code` may differ from the HTTP status, as the vendor says of its own. */
export class VendorError extends Error {
  readonly status: number;
  readonly type: VendorErrorType;
  readonly code: number;
  /** Which query parameter, or which property, was wrong. */
  readonly where: { parameterName?: string; propertyName?: string };

  constructor(
    status: number,
    type: VendorErrorType,
    message: string,
    where: { parameterName?: string; propertyName?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = status;
    this.where = where;
  }
}

export function errorBody(error: VendorError) {
  return { errors: [{ message: error.message, type: error.type, code: error.code, ...error.where }] };
}

export function notFound(what: string): VendorError {
  return new VendorError(404, 'logical', `${what} was not found.`);
}

export function badParameter(parameterName: string, message: string): VendorError {
  return new VendorError(400, 'logical', message, { parameterName });
}
