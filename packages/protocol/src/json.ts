/** Any value that JSON can write down. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** An object of JSON values. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12 or 7), kept as data. */
export type JsonSchema = { [keyword: string]: unknown };
