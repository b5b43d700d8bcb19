import { describe, expect, it } from "vitest";
import type { HubCallback } from "../../../src/web/index.ts";
import { dial as dialAt, readToEnd } from "../sockets.ts";
import { form, linkToken, openWebForTest, type WebStage } from "../stage.ts";

/** The pages with a clock that the test advances. Slow connections are checked only then. */
async function opened(options: Parameters<typeof openWebForTest>[0] = {}) {
  let at = Date.parse("2026-11-21T12:00:00Z");
  let look = () => {};
  const every = (_: number, work: () => void) => {
    look = work;
    return () => undefined;
  };
  const web = await openWebForTest({ now: () => at, every, ...options });
  return {
    ...web,
    pass: (ms: number) => {
      at += ms;
      look();
    },
  };
}

type Dialled = Awaited<ReturnType<typeof dial>>;

/** `ended` resolves with everything that was sent back until the other end hung up. */
async function dial(port: number) {
  const socket = await dialAt({ port });
  return { socket, ended: readToEnd(socket) };
}

interface Slow {
  readonly path?: string;
  readonly visitor?: string;
  readonly length?: number;
  readonly headers?: readonly string[];
}

/** Sends headers and the beginning of a long body. */
async function sendSlowly(port: number, slow: Slow = {}): Promise<Dialled> {
  const { path = `/connect/${linkToken}`, visitor, length = 4_000, headers = [] } = slow;
  const dialled = await dial(port);
  const forwarded = visitor === undefined ? [] : [`X-Forwarded-For: ${visitor}`];
  const own = Object.entries(form).map(([name, value]) => `${name}: ${value}`);
  const sized = headers.some((line) => line.startsWith("Transfer-Encoding"))
    ? []
    : [`Content-Length: ${length}`];
  const lines = [`POST ${path} HTTP/1.1`, "Host: a", ...own, ...forwarded, ...sized, ...headers];
  dialled.socket.write(`${lines.join("\r\n")}\r\n\r\nperm`);
  return dialled;
}

/** Resolves once everything that was sent before has been read. */
async function settled(web: WebStage): Promise<void> {
  await web.ask("/robots.txt");
  await web.ask("/robots.txt");
}

const hubPath = `/hub/${"W".repeat(43)}`;

/** Reads only what is posted to that path. */
const hub: HubCallback = {
  verify: async () => undefined,
  take: async (path, { readBody }) => {
    if (!hubPath.endsWith(path)) return "gone";
    return (await readBody()) === undefined ? "unread" : "taken";
  },
};

const first = ([...all]: readonly Dialled[]) =>
  Promise.race(all.map(({ ended }, at) => ended.then(() => at)));

const isOpen = ({ socket }: Dialled) => !socket.closed && !socket.destroyed;

describe("a body", () => {
  it.each([
    ["at a path that there is not", { path: "/nothing/here" }],
    ["at a hub's path of another shape", { path: "/hub/short" }],
    ["at a link's path of another shape", { path: `/connect/${linkToken}x` }],
    ["at a page", { path: "/" }],
    ["in chunks without an end", { path: "/nothing", headers: ["Transfer-Encoding: chunked"] }],
    ["of a hundred terabytes", { path: "/nothing", length: 1e14 }],
  ])("%s is refused and never waited for", async (_, slow) => {
    const web = await opened();

    const { ended } = await sendSlowly(web.port, slow);

    expect(await ended).toMatch(/^HTTP\/1\.1 404 [\s\S]*connection: close/iu);
  });

  it.each(["PUT", "PATCH", "DELETE", "GET", "OPTIONS"])(
    "of %s is refused and never waited for",
    async (method) => {
      const web = await opened();
      const { socket, ended } = await dial(web.port);

      socket.write(
        `${method} /connect/${linkToken} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1`,
      );

      expect(await ended).toMatch(/^HTTP\/1\.1 404 /u);
    },
  );

  it("is asked for only where it may come", async () => {
    const web = await opened();
    const headers = ["Expect: 100-continue"];

    const refused = await sendSlowly(web.port, { path: "/nothing", headers });
    const taken = await sendSlowly(web.port, { headers, length: 15 });
    taken.socket.write("ission=read");

    expect(await refused.ended).not.toContain("100 Continue");
    expect(await taken.ended).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 303 /u);
  });

  it("of a hub is not waited for where nobody wants to hear it", async () => {
    const web = await opened({ hub });

    const unknown = await sendSlowly(web.port, { path: `/hub/${"U".repeat(43)}` });
    const large = await sendSlowly(web.port, { path: hubPath, length: 65_537 });
    const wanted = await sendSlowly(web.port, { path: hubPath, length: 8 });
    wanted.socket.write("more");

    expect(await unknown.ended).toMatch(/^HTTP\/1\.1 410 /u);
    expect(await large.ended).toMatch(/^HTTP\/1\.1 413 /u);
    expect(await wanted.ended).toMatch(/^HTTP\/1\.1 202 /u);
  });

  it("ends after three seconds at a form, however it trickles, and is no fault of ours", async () => {
    const web = await opened();
    const slow = await sendSlowly(web.port);
    await settled(web);

    web.pass(3_000);
    slow.socket.write("i");
    await settled(web);
    const isOpenBefore = isOpen(slow);
    web.pass(1);

    expect(await slow.ended).toBe("");
    expect(isOpenBefore).toBe(true);
    await settled(web);
    expect(web.logged.filter((line) => !line.includes('"level":"debug"'))).toEqual([]);
    expect(web.calls).toEqual([]);
  });

  it("ends when it comes by the drop, long before its deadline", async () => {
    const web = await opened({ hub });
    const path = hubPath;
    const trickling = await sendSlowly(web.port, { path, length: 60_000 });
    const brisk = await sendSlowly(web.port, { path, length: 40_004 });
    brisk.socket.write("x".repeat(20_000));
    await settled(web);

    web.pass(5_000);
    brisk.socket.write("x".repeat(20_000));

    expect(await trickling.ended).toBe("");
    expect(await brisk.ended).toMatch(/^HTTP\/1\.1 202 /u);
  });
});

describe("room for the next visitor", () => {
  it("comes from the oldest who waits, and the newcomer's page is answered", async () => {
    const web = await opened({ room: { connections: 6 } });
    const idle = [];
    for (let at = 0; at < 5; at += 1) idle.push(await dial(web.port));

    const { status } = await web.ask(`/connect/${linkToken}`);
    const late = await dial(web.port);

    expect(status).toBe(200);
    expect(await first(idle)).toBe(0);
    expect([...idle.slice(1), late].every(isOpen)).toBe(true);
  });

  it.each([
    ["whoever holds most, and not from the oldest", () => "2001:db8::7"],
    ["a network whose addresses hold most together", (at: number) => `2001:db8:0:${at}::7`],
  ])("comes from %s", async (_, visitorAt) => {
    const web = await opened({ room: { connections: 7 } });
    const quiet = await sendSlowly(web.port, { visitor: "203.0.113.1" });
    const greedy = [];
    for (let at = 0; at < 5; at += 1) {
      greedy.push(await sendSlowly(web.port, { visitor: visitorAt(at) }));
    }
    await settled(web);

    const { status } = await web.ask(`/connect/${linkToken}`);
    await dial(web.port);

    expect(status).toBe(200);
    expect(await first([...greedy, quiet])).toBe(0);
    expect(isOpen(quiet)).toBe(true);
  });

  it("is not taken from a page that is being made", async () => {
    let release = () => {};
    const held = new Promise<never>((_, reject) => {
      release = () => reject(new Error("late"));
    });
    const web = await opened({ room: { connections: 3 }, links: { visit: () => held } as never });
    const busy = await dial(web.port);
    busy.socket.write(`GET /connect/${linkToken} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await settled(web);

    const idle = [];
    for (let at = 0; at < 6; at += 1) idle.push(await dial(web.port));
    await first(idle);
    release();

    expect(await busy.ended).toMatch(/^HTTP\/1\.1 500 /u);
  });

  it("is each visitor's own, by the address that the proxy gives", async () => {
    const web = await opened({ room: { visitor: 3 } });
    const other = await sendSlowly(web.port, { visitor: "203.0.113.9" });
    const own = [];
    for (let at = 0; at < 4; at += 1) {
      own.push(await sendSlowly(web.port, { visitor: `2001:db8::${at}` }));
      await settled(web);
    }

    expect(await first([...own, other])).toBe(0);
    expect([...own.slice(1), other].every(isOpen)).toBe(true);
  });

  it("is each path's own: slow deliveries take none from forms", async () => {
    const web = await opened({ hub, room: { bodies: 2 } });
    const filling = await sendSlowly(web.port, { length: 15 });
    const deliveries = [];
    for (let at = 0; at < 4; at += 1) {
      deliveries.push(await sendSlowly(web.port, { path: hubPath, visitor: `203.0.113.${at}` }));
      await settled(web);
    }
    filling.socket.write("ission=read");

    await Promise.all(deliveries.slice(0, 2).map(({ ended }) => ended));
    expect(deliveries.slice(2).every(isOpen)).toBe(true);
    expect(await filling.ended).toMatch(/^HTTP\/1\.1 303 /u);
  });

  it("takes a few requests at once on one connection, and hangs up on many", async () => {
    const request = "GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n";
    const page = `GET /connect/${linkToken} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const last = "GET /robots.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const web = await opened({ links: { visit: () => new Promise(() => {}) } as never });
    const [few, many] = [await dial(web.port), await dial(web.port)];

    few.socket.write(request.repeat(3) + last);
    many.socket.write(page.repeat(9));

    expect((await few.ended).match(/200 OK/gu)).toHaveLength(4);
    expect(await many.ended).toBe("");
  });
});
