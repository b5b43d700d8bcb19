import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childEnvironment } from "../../support/child-environment.ts";
import { findPostgres, startPostgres } from "../../support/databases/postgres-server.ts";
import { type DoctorStage, type Env, masterKey, openDoctorStage } from "./stage.ts";

const doctorFile = join(import.meta.dirname, "../../../src/cli/doctor.ts");

let stage: DoctorStage;
let folder: string;
let good: Env;
beforeAll(async () => {
  stage = await openDoctorStage();
  ({ folder, good } = stage);
});
afterAll(() => stage?.close());

describe("npm run doctor", () => {
  async function run(env: Env, ...args: readonly string[]) {
    const child = spawn(process.execPath, [doctorFile, ...args], {
      cwd: folder,
      env: { ...childEnvironment, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, "close");
    return { code: code as number, out, err };
  }

  function secretsIn(text: string): readonly string[] {
    const { DISCORD_TOKEN, DISCORD_CLIENT_SECRET, OAUTH_CLIENT_SECRET } = good;
    const given = [DISCORD_TOKEN, DISCORD_CLIENT_SECRET, OAUTH_CLIENT_SECRET].map(String);
    return [...given, masterKey, "a-key-of"].filter((secret) => text.includes(secret));
  }

  it("prints one table without colours into a pipe, and ends with 0 when nothing is wrong", async () => {
    const { code, out, err } = await run(good);

    expect(err).toBe("");
    expect(code).toBe(0);
    expect(out).toMatch(/^check +state +what was found, and what to do\n/);
    expect(out).toContain("No errors; 1 warning.");
    expect(out).not.toContain("\u001b");
    expect(Math.max(...out.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(secretsIn(out)).toEqual([]);
  });

  it("prints the same as JSON for programs, and ends with 1 when something is wrong", async () => {
    const { code, out } = await run({ ...good, DISCORD_CLIENT_SECRET: "not-it" }, "--json");

    const { isWell, findings } = JSON.parse(out);
    expect(code).toBe(1);
    expect(isWell).toBe(false);
    expect(findings).toContainEqual({
      check: "Discord client secret",
      state: "wrong",
      found: "Discord refuses it",
      advice: expect.stringContaining("DISCORD_CLIENT_SECRET"),
    });
    expect(secretsIn(out)).toEqual([]);
  });

  it("ends with 2 when the configuration can't be read, and shows no value of it", async () => {
    const { code, out } = await run({
      ...good,
      DISCORD_TOKEN: "a token with spaces",
      PORT: "http",
    });

    expect(code).toBe(2);
    expect(out).toContain("DISCORD_TOKEN has spaces in it");
    expect(out).toContain("PORT is not a port");
    expect(out).not.toContain("a token with spaces");
    expect(secretsIn(out)).toEqual([]);
  });

  it("explains itself, and refuses words that it does not know", async () => {
    const [help, odd] = await Promise.all([run({}, "--help"), run({}, "--fix")]);

    expect(help).toMatchObject({
      code: 0,
      out: expect.stringContaining("npm run doctor -- --json"),
    });
    expect(odd).toMatchObject({ code: 2, err: expect.stringContaining("--fix") });
  });
});

describe.skipIf(findPostgres() === undefined)("the doctor before a PostgreSQL", () => {
  it.each([
    ["on", []],
    ["off", [expect.stringContaining("acknowledges writes before they are on disk")]],
  ])("whose fsync is %s", async (fsync, expected) => {
    const postgres = await startPostgres([`fsync=${fsync}`]);
    const { wrong, fine, warnings } = await stage.diagnosed({ ...good, STORE_URL: postgres.url });
    await postgres.stop();

    expect(wrong).toEqual([]);
    expect(warnings.filter((each) => each.startsWith("store:"))).toEqual(expected);
    expect(fine).toContain("store: a row was written, read and deleted");
  });
});
