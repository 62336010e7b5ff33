export type { ResolveSecret, SecretValue } from "../remote/secret-value.js";
export type { Resolver } from "./guarded-agent.js";
export { type HttpDefinition, type HttpDefinitionInput, httpDefinition } from "./http-definition.js";
export { type HttpToolkit, type HttpToolkitOptions, openHttpToolkit } from "./open-http-toolkit.js";
export { checkHttpDefinition, readHttpDefinition } from "./read-http-definition.js";
