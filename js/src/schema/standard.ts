/**
 * The interfaces of Standard Schema and Standard JSON Schema, version 1
 * (https://standardschema.dev). They are written here, so that the package needs no other.
 *
 * @module
 */

/** Standard Schema: what forms, routers and other validators read. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>;
}

/** The members of {@link StandardSchema}. */
export interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (
    value: unknown,
  ) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>;
  readonly types?: StandardTypes<Input, Output>;
}

/** The types in JavaScript, for the compiler alone. */
export interface StandardTypes<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** A value that holds, or what is wrong with it. Both members may be read before the check. */
export type StandardResult<Output, Issue = StandardIssue> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly Issue[] };

/**
 * The same as the standard has it: a failure declares no value. Otherwise a library would infer
 * that the output may be undefined.
 */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** What is wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Standard JSON Schema: makes JSON Schema of the values before and after validation. */
export interface StandardJsonConverter {
  readonly input: (options: StandardJsonOptions) => Record<string, unknown>;
  readonly output: (options: StandardJsonOptions) => Record<string, unknown>;
}

/** Options of {@link StandardJsonConverter}. */
export interface StandardJsonOptions {
  /** The version of JSON Schema: `draft-2020-12` or `draft-07`. */
  readonly target: string;
}
