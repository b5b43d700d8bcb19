import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/errors.ts";
import { portFault } from "../../src/web/port-fault.ts";

const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

describe("portFault", () => {
  it.each([
    ["EADDRINUSE", "port_taken"],
    ["EACCES", "port_forbidden"],
  ])("names the variable: %s", (raw, code) => {
    for (const variable of ["PORT", "HEALTH_PORT"] as const) {
      const fault = portFault(failed(raw), { port: 80, variable, more: "x." });

      expect(fault).toBeInstanceOf(ConfigError);
      expect(fault).toMatchObject({
        code,
        message: expect.stringContaining(`port 80 (${variable})`),
        hint: expect.stringContaining(`Set ${variable} to`),
      });
    }
  });

  it("leaves everything else as it is", () => {
    const error = failed("EADDRNOTAVAIL");

    expect(portFault(error, { port: 80, variable: "PORT", more: "x." })).toBe(error);
  });
});
