import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/errors.ts";
import { portError } from "../../src/web/port-error.ts";

const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

describe("portError", () => {
  it.each([
    ["EADDRINUSE", "port_taken"],
    ["EACCES", "port_forbidden"],
  ])("names the variable: %s", (raw, code) => {
    for (const variable of ["PORT", "HEALTH_PORT"] as const) {
      const made = portError(failed(raw), { port: 80, variable, more: "x." });

      expect(made).toBeInstanceOf(ConfigError);
      expect(made).toMatchObject({
        code,
        message: expect.stringContaining(`port 80 (${variable})`),
        hint: expect.stringContaining(`Set ${variable} to`),
      });
    }
  });

  it("leaves everything else as it is", () => {
    const error = failed("EADDRNOTAVAIL");

    expect(portError(error, { port: 80, variable: "PORT", more: "x." })).toBe(error);
  });
});
