import { checkDefinition, readDefinition } from "../remote/read-definition.js";
import { type HttpDefinition, httpDefinition } from "./http-definition.js";

/**
 * Reads one API's definition from YAML or JSON text.
 *
 * @param source where the text is from, for messages
 * @throws ArtificerError `tool/definition-invalid`, naming source, line and field.
 */
export function readHttpDefinition(text: string, source: string): HttpDefinition {
  return readDefinition(httpDefinition, text, source);
}

/**
 * Checks one API's definition given as an object.
 *
 * @throws ArtificerError `tool/definition-invalid`, naming the field.
 */
export function checkHttpDefinition(data: unknown, source: string): HttpDefinition {
  return checkDefinition(httpDefinition, data, source);
}
