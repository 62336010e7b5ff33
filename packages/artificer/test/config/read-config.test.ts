import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read-config.js";
import { useTempFolder } from "../session/temp-folder.js";

const temp = useTempFolder();

describe("the configuration of a base", () => {
  async function folders(user: string | undefined, own: string | undefined) {
    const folder = await temp();
    const places = { base: join(folder, "base"), home: join(folder, "home") };
    for (const [place, text] of [
      [places.home, user],
      [places.base, own],
    ] as const) {
      await mkdir(place);
      if (text !== undefined) await writeFile(join(place, "config.yaml"), text);
    }
    return places;
  }

  it("is the base's over the user's over the defaults, key by key [M11]", async () => {
    const user =
      "code_execution: {mode: strict, timeout: 60, kernel_idle_timeout: 900}\nterminal: {env_passthrough: [A, B]}\n";
    const own = "code_execution: {timeout: 5}\nterminal: {env_passthrough: [C]}\n";
    expect(await readConfig(await folders(user, own))).toMatchObject({
      code_execution: {
        mode: "strict",
        timeout: 5,
        max_tool_calls: 50,
        kernel_idle_timeout: 900,
        max_session_kernels: 4,
      },
      terminal: { env_passthrough: ["C"], pass_proxies: false },
    });
  });

  it("needs neither file [M11]", async () => {
    expect((await readConfig(await folders(undefined, undefined))).code_execution).toMatchObject({
      mode: "project",
      timeout: 300,
      kernel_idle_timeout: 1800,
    });
    expect((await readConfig({ base: "/no/such/base", home: "/no/such/home" })).executor).toBe("subprocess");
  });

  it.each(["user", "own"])("names the file that is wrong: the %s one [M11]", async (wrong) => {
    const places = await folders(
      wrong === "user" ? "code_execution: {tiemout: 1}\n" : "",
      wrong === "own" ? "code_execution: {tiemout: 1}\n" : "",
    );
    const file = join(wrong === "user" ? places.home : places.base, "config.yaml");
    await expect(readConfig(places)).rejects.toMatchObject({
      code: "config/unknown-key",
      message: `${file}, line 1: there is no key code_execution.tiemout.`,
      hint: expect.stringContaining("Did you mean timeout?"),
    });
  });
});
