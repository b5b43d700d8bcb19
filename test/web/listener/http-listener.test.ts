import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/errors.ts";
import { dial, readToEnd } from "../sockets.ts";
import { linkToken, openWeb, openWebForTest } from "../stage.ts";

describe("openHttpListener", () => {
  it("says which port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;

    const failure = await openWeb({ port }).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({ code: "port_taken" });
    other.close();
  });

  it("takes over a port that somebody holds for it", async () => {
    const holder = createTcpServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;

    const web = await openWebForTest({ port: holder });

    expect(web.port).toBe(port);
    expect((await web.ask("/robots.txt")).body).toBe("User-agent: *\nDisallow: /\n");
    holder.close();
  });

  it("has room for the next visitor while a thousand idle connections come", async () => {
    const web = await openWebForTest();
    const sockets: Awaited<ReturnType<typeof dial>>[] = [];
    for (let at = 0; at < 1_000; at += 1) sockets.push(await dial(web));

    const { status } = await web.ask(`/connect/${linkToken}`);

    expect(status).toBe(200);
    // The other sockets learn only gradually that they were closed.
    const left = () => sockets.filter((socket) => !socket.closed && !socket.destroyed).length;
    await expect.poll(left).toBeLessThanOrEqual(510);
  });

  it("refuses headers that are too long without a word of them", async () => {
    const web = await openWebForTest();
    const socket = await dial(web);
    const marker = "reflect-me";
    socket.write(`GET /${marker}${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);

    const text = await readToEnd(socket);

    expect(text).toMatch(/^HTTP\/1\.1 431 /u);
    expect(text).not.toContain(marker);
  });

  it("answers a flood plainly, and looks nothing up for it", async () => {
    const web = await openWebForTest({ traffic: { visitor: 100, all: 20 } });
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => web.ask(`/connect/${linkToken}`)),
    );

    const last = await web.ask(`/connect/${linkToken}`, { headers: { "Accept-Language": "de" } });

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(480);
    expect(web.calls).toHaveLength(20);
    expect(last.headers).toMatchObject({ "retry-after": "60", connection: "close" });
    expect(last.body).toContain("Zu viel auf einmal");
  });

  it("lets go of idle connections at once, and of busy ones when they are answered", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const web = await openWebForTest({
      links: {
        visit: async () => {
          await held;
          throw new Error("late");
        },
      } as never,
    });
    await web.ask("/robots.txt");
    const late = web.ask(`/connect/${linkToken}`);
    await new Promise((resolve) => setTimeout(resolve, 50));

    const stopped = web.stop();
    await expect(dial(web)).rejects.toThrow();
    release();
    const { status } = await late;
    await stopped;

    expect(status).toBe(500);
  });
});
