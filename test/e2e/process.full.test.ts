import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startPlatform } from "../../src/sandbox/platform/index.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { freePort } from "../support/free-port.ts";
import { mainFile as main, mainEnv, newFolder, runMain as run } from "../support/run-main.ts";
import { serve } from "../support/server.ts";

describe("npm start", () => {
  it("without configuration prints one address of this machine, and a page is there", async () => {
    const { child, cwd, said, ended } = run({});

    const url = await said(/ready: (http:\/\/127\.0\.0\.1:\d+)/u);
    const page = await fetch(url);
    child.kill("SIGTERM");
    const { code } = await ended;

    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<!doctype html>");
    expect(code).toBe(0);
    expect(statSync(join(cwd, ".greenroom/master.key")).mode & 0o777).toBe(0o600);
    expect(statSync(join(cwd, ".greenroom/sandbox.sqlite")).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === "win32")("ends with npm, which passes no signal on", async () => {
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${main}"; true`], {
      cwd: newFolder(),
      env: { ...childEnvironment, npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let out = "";
    const closed = once(shell.stdout, "close");
    await new Promise<void>((resolve) => {
      shell.stdout.on("data", (chunk) => {
        out += chunk;
        if (out.includes("http://127.0.0.1")) resolve();
      });
    });

    shell.kill("SIGTERM");
    // The bot keeps the pipe open for as long as it lives.
    await closed;

    expect(out).toContain("npm ended");
  });

  it("goes on when nobody reads its log any more", async () => {
    const { child, said, ended } = run({ LOG_LEVEL: "debug" });
    const url = await said(/ready: (http:\/\/127\.0\.0\.1:\d+)/u);

    child.stdout.destroy();
    child.kill("SIGTERM");
    const { code } = await ended;

    expect(url).toContain("127.0.0.1");
    expect(code).toBe(0);
  });

  it("in production without a token ends with a clear error", async () => {
    const { code, err } = await run({ NODE_ENV: "production" }).ended;

    expect(code).toBe(2);
    expect(err).toContain("DISCORD_TOKEN is missing");
    expect(err).not.toContain("at ");
  });

  it("reports every fault of the environment at once, by its variable", async () => {
    const { code, err } = await run({
      DISCORD_TOKEN: "a token with spaces",
      VIDEO_API_URL: "ftp://example.com",
      PORT: "99999",
      LOG_LEVEL: "loud",
    }).ended;

    expect(code).toBe(2);
    for (const name of ["DISCORD_TOKEN", "VIDEO_API_URL", "SECRET_KEYS", "PORT", "LOG_LEVEL"]) {
      expect(err).toContain(name);
    }
    expect(err).not.toContain("a token with spaces");
  });

  it("names the variable when the port for health and metrics is taken", async () => {
    const platform = await startPlatform();
    const other = await serve((_, response) => response.end());

    const { code, err } = await run({
      ...mainEnv(platform),
      HEALTH_PORT: new URL(other.url).port,
    }).ended;
    await Promise.all([platform.close(), other.close()]);

    expect(code).toBe(2);
    expect(err).toContain("HEALTH_PORT");
    expect(err).not.toContain("at ");
  });

  it.skipIf(process.platform === "win32")(
    "ends by itself after SIGTERM with its pages and health open",
    async () => {
      const platform = await startPlatform();
      const { child, said, ended } = run({
        ...mainEnv(platform),
        PORT: `${await freePort()}`,
        PUBLIC_URL: "http://127.0.0.1",
        OAUTH_CLIENT_ID: "id",
        OAUTH_CLIENT_SECRET: "a-secret-of-it",
      });
      const url = `http://127.0.0.1:${await said(/"port":(\d+),"message":"health and metrics/u)}`;
      await said(/(commands are registered)/u);
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
      const sockets = [url].map((address) => connect(Number(new URL(address).port), "127.0.0.1"));
      for (const socket of sockets) socket.on("error", () => undefined);

      child.kill("SIGTERM");
      const { code } = await ended;
      for (const socket of sockets) socket.destroy();
      await platform.close();

      expect(code).toBe(0);
    },
  );

  it.skipIf(process.platform !== "linux")(
    "takes its settings from standard input, and shows none of them in /proc",
    async () => {
      const platform = await startPlatform();
      const settings = Object.entries({ ...mainEnv(platform), HEALTH_PORT: "1" }).map(
        ([name, value]) => `${name}=${value}`,
      );
      const { child, said, ended } = run(
        { HEALTH_PORT: "0" },
        { flags: ["--settings-from-stdin"], input: settings.join("\n") },
      );
      await said(/(commands are registered)/u);

      const shown = readFileSync(`/proc/${child.pid}/environ`, "utf8");
      child.kill("SIGTERM");
      await ended;
      await platform.close();

      expect(shown).toContain("HEALTH_PORT=0");
      expect(shown).not.toContain(platform.token);
      expect(shown).not.toContain("SECRET_KEYS");
    },
  );

  it("with a token that the platform refuses ends by itself and says which variable", async () => {
    const platform = await startPlatform();

    const { code, err } = await run({
      ...mainEnv(platform),
      DISCORD_TOKEN: "MTIz.wrong.token",
    }).ended;
    await platform.close();

    expect(code).toBe(2);
    expect(err).toContain("Discord refused DISCORD_TOKEN");
    expect(err).not.toContain("MTIz.wrong.token");
  });
});
