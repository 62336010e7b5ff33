import type { JsonSchema } from "@artificer/protocol";

export type ParameterLocation = "path" | "query" | "header" | "cookie";
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject"
  /** The value is written as JSON, whatever it is. */
  | "json";

/** One parameter of an operation: an argument of the tool, and where it goes in the request. */
export interface HttpParameter {
  /** The argument's name, unique within the tool. */
  argument: string;
  /** The name on the wire. */
  name: string;
  in: ParameterLocation;
  required: boolean;
  style: ParameterStyle;
  explode: boolean;
  allowReserved: boolean;
  schema: JsonSchema;
}

/** How one property of a form or multipart body is written. */
export interface PropertyEncoding {
  style?: ParameterStyle;
  explode?: boolean;
  allowReserved?: boolean;
  contentType?: string;
}

/** The body of an operation's request. */
export interface HttpBody {
  /** The argument's name. */
  argument: string;
  contentType: string;
  required: boolean;
  schema: JsonSchema;
  encoding: Readonly<Record<string, PropertyEncoding>>;
}

/** One operation of an API, whether from a document or listed by hand. */
export interface HttpOperation {
  name: string;
  method: string;
  /** With `{name}` for each path parameter. */
  path: string;
  description: string;
  parameters: HttpParameter[];
  body: HttpBody | undefined;
  /** The address that the path is appended to. */
  baseUrl: string;
  /** False when the document says that this operation needs no credentials. */
  authenticated: boolean;
  tags: string[];
  timeoutMs: number | undefined;
  /** Made when asked for: a large API's results share most of their schemas. */
  resultSchema: () => JsonSchema | undefined;
  /** Adds the definitions that a schema's references need. */
  complete: (schema: JsonSchema) => JsonSchema;
}

/** The style and explosion that OpenAPI gives a parameter that names none. */
export function defaultStyle(location: ParameterLocation): ParameterStyle {
  return location === "query" || location === "cookie" ? "form" : "simple";
}
