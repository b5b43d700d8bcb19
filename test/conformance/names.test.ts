import { describe, expect, it } from "vitest";
import { createBackgroundClient } from "../../src/background/index.ts";
import { readConfig } from "../../src/config.ts";
import { composeCutout } from "../../src/images/index.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { openStore } from "../../src/store/index.ts";
import { createVideoClient, methods } from "../../src/video/index.ts";
import { cutoutZip } from "../images/pictures.ts";

describe("names that other programs rely on", () => {
  it.each(
    Object.entries({
      createVideoClient,
      createBackgroundClient,
      composeCutout,
      openStore,
      readConfig,
      startSandbox,
    }),
  )("has %s", (name, value) => {
    expect(value).toBeTypeOf("function");
    expect(value.name).toBe(name);
  });

  it("has the table of methods by their names", () => {
    expect(methods["videos.list"]).toMatchObject({ path: expect.any(String) });
  });

  it("makes a client for videos with a call, and one for pictures with its three calls", () => {
    const video = createVideoClient({ baseUrl: "http://127.0.0.1:9", key: "k" });
    const background = createBackgroundClient({ baseUrl: "http://127.0.0.1:9", apiKey: "k" });

    expect(video).toMatchObject({ call: expect.any(Function) });
    expect(background).toMatchObject({
      removeBackground: expect.any(Function),
      account: expect.any(Function),
      improve: expect.any(Function),
    });
  });

  it("composes a cut-out's ZIP into the bytes of a file", async () => {
    const bytes = await composeCutout(await cutoutZip(60, 40), { format: "png" });

    expect(Buffer.isBuffer(bytes)).toBe(true);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  });
});
