import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { applicationFaults } from "../../../src/discord/wire/application-faults.ts";
import { ConfigError } from "../../../src/errors.ts";

const publicKey = "ab".repeat(32);
const keys = { SECRET_KEYS: `main:${Buffer.alloc(32, 1).toString("base64")}` };
const gateway = readConfig({ DISCORD_TOKEN: "t", ...keys });
const http = readConfig({
  DISCORD_TOKEN: "t",
  ...keys,
  DISCORD_PUBLIC_KEY: publicKey.toUpperCase(),
  PUBLIC_URL: "https://bot.example/green",
});
const endpointUrl = "https://bot.example/green/discord/interactions";
const right = { publicKey, endpointUrl, skewMs: -29_000 };

function failureOf(facts: Parameters<typeof applicationFaults>[0]): unknown {
  try {
    return applicationFaults(facts, http);
  } catch (error) {
    return error;
  }
}

describe("applicationFaults over HTTP", () => {
  it("finds nothing where everything fits, and where Discord does not tell the time", () => {
    expect(applicationFaults(right, http)).toEqual([]);
    expect(applicationFaults({ ...right, skewMs: undefined }, http)).toEqual([]);
  });

  it("refuses another application's key, for good", () => {
    const failure = failureOf({ ...right, publicKey: "cd".repeat(32) });

    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({ code: "public_key_refused", facts: {} });
    expect(`${failure}`).toContain("DISCORD_PUBLIC_KEY");
  });

  it("refuses an application that tells no key", () => {
    expect(failureOf({ ...right, publicKey: undefined })).toMatchObject({
      code: "public_key_refused",
    });
  });

  it.each([
    [31_000, "31 s ahead of Discord's"],
    [-3_600_000, "3600 s behind Discord's"],
  ])("refuses a clock that is %i ms off, until it is right", (skewMs, expected) => {
    const failure = failureOf({ ...right, skewMs });

    expect(failure).toMatchObject({
      code: "clock_wrong",
      facts: { mayPass: true },
      message: expect.stringContaining(expected),
    });
  });

  it.each([
    [null, "is empty"],
    ["", "is empty"],
    ["https://old.example/x", "is https://old.example/x"],
  ])("warns about the address %j, and says what to set", (other, expected) => {
    const [warning, ...more] = applicationFaults({ ...right, endpointUrl: other }, http);

    expect(more).toEqual([]);
    expect(warning).toMatchObject({ level: "warn", message: expect.stringContaining(expected) });
    expect(warning?.message).toContain(`set it to ${endpointUrl} at`);
  });
});

describe("applicationFaults over the gateway", () => {
  it("finds nothing where everything fits", () => {
    expect(applicationFaults({ ...right, endpointUrl: null }, gateway)).toEqual([]);
  });

  it("says that an address at Discord silences the gateway", () => {
    expect(applicationFaults(right, gateway)).toEqual([
      { level: "error", message: expect.stringContaining("no command to the gateway") },
    ]);
  });

  it("warns about the clock", () => {
    const facts = { ...right, endpointUrl: undefined, skewMs: 45_400 };

    expect(applicationFaults(facts, gateway)).toEqual([
      { level: "warn", message: expect.stringMatching(/45 s ahead of Discord's\. .*timedatectl/) },
    ]);
  });
});
