import { ArtificerError } from "@artificer/protocol";
import ipaddr from "ipaddr.js";

/** Which addresses may be reached: public ones, and those that are granted. */
export interface AddressPolicy {
  /** True when the host by its name, with its port, may be reached whatever its address. */
  grantsHost(host: string, port: number): boolean;
  /** Why the address may not be reached; undefined when it may. */
  problem(address: string): string | undefined;
}

/** What the kinds of addresses that are not public are called in messages. */
const kinds: Record<string, string> = {
  loopback: "a loopback address",
  linkLocal: "a link-local address (where cloud metadata is)",
  private: "a private address",
  uniqueLocal: "a private address",
  carrierGradeNat: "a carrier's private address",
  unspecified: "the unspecified address",
};

/**
 * @param allow hosts (`name`, `name:port`, `*.name`), addresses and ranges that are granted
 * @throws ArtificerError `tool/definition-invalid` for a range that is none.
 */
export function createAddressPolicy(allow: readonly string[]): AddressPolicy {
  const hosts: { name: string; port: number | undefined }[] = [];
  const ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const grant of allow) {
    const bare = grant.replace(/^\[|\]$/g, "");
    if (ipaddr.isValid(bare)) ranges.push(singleRange(ipaddr.process(bare)));
    else if (grant.includes("/")) ranges.push(parseRange(grant));
    else {
      const [, name, port] = /^(.*?)(?::(\d+))?$/.exec(grant)!;
      hosts.push({
        name: name!.replace(/^\[|\]$/g, "").toLowerCase(),
        port: port === undefined ? undefined : Number(port),
      });
    }
  }
  return {
    grantsHost(host, port) {
      const wanted = host.toLowerCase().replace(/\.$/, "");
      return hosts.some(
        ({ name, port: only }) =>
          (only === undefined || only === port) &&
          (name === wanted || (name.startsWith("*.") && wanted.endsWith(name.slice(1)))),
      );
    },
    problem(address) {
      if (!ipaddr.isValid(address)) return "no address";
      // Maps an IPv4 address in IPv6's clothes back to what it is.
      const parsed = ipaddr.process(address);
      if (ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range as [ipaddr.IPv4, number])))
        return undefined;
      const kind = parsed.range();
      return kind === "unicast" ? undefined : (kinds[kind] ?? `an address of special use (${kind})`);
    },
  };
}

/** What a refused address is answered with. */
export function addressDenied(host: string, problem: string): ArtificerError {
  return new ArtificerError("tool/denied", `${host} is ${problem}, which this toolkit may not reach.`, {
    details: { host, problem },
    hint: "If it is meant, grant it in network.allow of the definition.",
  });
}

function singleRange(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function parseRange(grant: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    return ipaddr.parseCIDR(grant);
  } catch {
    throw new ArtificerError("tool/definition-invalid", `network.allow: ${grant} is no range of addresses.`, {
      details: { field: "network.allow", value: grant },
      hint: "Write it as 10.0.0.0/8 or fd00::/8.",
    });
  }
}
