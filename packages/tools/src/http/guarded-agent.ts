import { lookup as lookUpHost } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { type AddressPolicy, addressDenied } from "./address-policy.js";

/** Resolves names; Node's own `dns.lookup` unless told otherwise. */
export type Resolver = typeof lookUpHost;

/**
 * An agent whose every connection goes to an address that the policy lets through: the address that was checked is the one
 * connected to, so a name that resolves otherwise a moment later gains nothing.
 */
export function createGuardedAgent(policy: AddressPolicy, resolve: Resolver = lookUpHost): Agent {
  const connectors = new Map<string, buildConnector.connector>();
  return new Agent({
    // The call's own clock bounds all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
      const granted = policy.grantsHost(host, port);
      const problem = isIP(host) === 0 || granted ? undefined : policy.problem(host);
      if (problem !== undefined) return callback(addressDenied(host, problem), null);
      const key = `${host} ${port}`;
      let connector = connectors.get(key);
      if (connector === undefined) {
        connector = buildConnector({ timeout: 0, ...(granted ? {} : { lookup: guardedLookup(policy, resolve) }) });
        connectors.set(key, connector);
      }
      connector(options, callback);
    },
  });
}

function guardedLookup(policy: AddressPolicy, resolve: Resolver): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      const allowed = addresses.filter(({ address }) => policy.problem(address) === undefined);
      const [first] = allowed;
      if (first === undefined) {
        const problem = policy.problem(addresses[0]?.address ?? "") ?? "no address";
        return callback(addressDenied(hostname, problem) as NodeJS.ErrnoException & Error, "", 0);
      }
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
