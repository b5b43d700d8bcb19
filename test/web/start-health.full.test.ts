import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog, createSecrets } from "../../src/log.ts";
import { startHealth } from "../../src/web/index.ts";

// Node's own limit is 5 seconds.
describe("startHealth", () => {
  it("ends a connection that takes its time with its question", async () => {
    const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
    const metrics = { render: async () => ({ type: "text/plain", text: "a 1\n" }) };
    const { url, close } = await startHealth({ metrics, port: 0, ready: {}, log });
    onTestFinished(close);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined);

    socket.write("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    const closed = new Promise<boolean>((resolve) => {
      socket.resume();
      socket.on("close", () => resolve(true));
    });

    expect(await closed).toBe(true);
  });
});
