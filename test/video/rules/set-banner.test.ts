import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { setBanner } from "../../../src/video/index.ts";
import { refuse, startRig } from "./rig.ts";

function picture(width: number, height: number, format: "png" | "jpeg" | "webp" = "png") {
  const image = sharp({ create: { width, height, channels: 3, background: "#336699" } });
  return image[format]().toBuffer();
}

const settings = {
  channel: { title: "Mine", keywords: "a b", showBrowseView: true },
  image: { brandNew: "kept" },
};

function service() {
  const state = { written: undefined as unknown, uploaded: Buffer.alloc(0) as Buffer };
  const routes = {
    "POST /channelBanners/insert": ({ body }: { body: Buffer }) => {
      state.uploaded = body;
      return { body: { url: "https://banner.example/1" } };
    },
    "GET /channels": () => ({ body: { items: [{ id: "UC1", brandingSettings: settings }] } }),
    "PUT /channels": ({ json }: { json: unknown }) => {
      state.written = json;
      return { body: json };
    },
  };
  return { state, routes };
}

describe("setBanner", () => {
  it("uploads, reads the settings and writes them back with the new address", async () => {
    const { state, routes } = service();
    const { client, server, asked } = await startRig(routes);
    const data = await picture(2560, 1440);

    const { url, channel } = await setBanner(client, { data });

    expect(asked()).toEqual(["POST /channelBanners/insert", "GET /channels", "PUT /channels"]);
    expect(state.uploaded.equals(data)).toBe(true);
    expect(server.received[0]?.headers["content-type"]).toBe("image/png");
    expect(server.received[1]?.url.searchParams.get("mine")).toBe("true");
    expect(url).toBe("https://banner.example/1");
    expect(state.written).toEqual({
      id: "UC1",
      brandingSettings: {
        channel: settings.channel,
        image: { brandNew: "kept", bannerExternalUrl: url },
      },
    });
    expect(channel.id).toBe("UC1");
  });

  it("takes pictures a pixel off 16:9, whatever a camera puts before the pixels", async () => {
    const { client, asked } = await startRig(service().routes);
    const image = sharp(await picture(2100, 1181, "jpeg")).jpeg({ progressive: true });
    const data = await image.withExif({ IFD0: { Copyright: "x".repeat(5000) } }).toBuffer();

    await setBanner(client, { data });

    expect(asked()).toContain("PUT /channels");
  });

  it.each([
    ["banner_too_small", picture(2047, 1151)],
    ["banner_too_small", picture(1920, 1080, "jpeg")],
    ["banner_shape", picture(2560, 1441)],
    ["banner_shape", picture(2048, 2048)],
    ["banner_type", picture(2560, 1440, "webp")],
    ["banner_type", Promise.resolve(Buffer.alloc(0))],
    ["banner_type", Promise.resolve(Buffer.from("GIF89a and some more bytes of it"))],
    // A JPEG without a frame, one of zeros, and half a PNG.
    ["banner_type", Promise.resolve(Buffer.from(`ffd8ff${"ffe00002".repeat(8)}`, "hex"))],
    ["banner_type", Promise.resolve(Buffer.from(`ffd8${"00".repeat(40)}`, "hex"))],
    ["banner_type", Promise.resolve(Buffer.from("89504e470d0a1a0a0000000d", "hex"))],
    ["banner_too_large", Promise.resolve(Buffer.alloc(6 * 1024 * 1024 + 1))],
  ])("refuses before anything is sent: %s", async (code, data) => {
    const { client, asked } = await startRig({});

    const setting = setBanner(client, { data: await data });

    await expect(setting).rejects.toMatchObject({ kind: "input", code, outcome: "nothing" });
    expect(asked()).toEqual([]);
  });

  it("says that nothing was changed when the upload is refused", async () => {
    const routes = {
      ...service().routes,
      "POST /channelBanners/insert": () => refuse(400, "bannerAlbumFull"),
    };
    const { client, asked } = await startRig(routes);

    const setting = setBanner(client, { data: await picture(2048, 1152) });

    await expect(setting).rejects.toMatchObject({
      code: "banner_album_full",
      outcome: "nothing",
      facts: { step: "upload" },
    });
    expect(asked()).toEqual(["POST /channelBanners/insert"]);
  });

  it.each([
    ["read", "GET /channels", refuse(403, "channelForbidden"), "channel_forbidden"],
    ["read", "GET /channels", { body: { items: [] } }, "no_channel"],
    ["set", "PUT /channels", refuse(400, "brandingValidationError"), "branding_validation_error"],
  ] as const)(
    "says that only the picture was uploaded when %s fails",
    async (step, route, reply, code) => {
      const { client } = await startRig({ ...service().routes, [route]: () => reply });

      const setting = setBanner(client, { data: await picture(2048, 1152) });

      await expect(setting).rejects.toMatchObject({
        code,
        outcome: "part",
        facts: { step },
      });
    },
  );

  it("leaves it open whether the last step was done when it broke off", async () => {
    const { client } = await startRig({
      ...service().routes,
      "PUT /channels": () => ({ status: 503 }),
    });

    const setting = setBanner(client, { data: await picture(2048, 1152) });

    await expect(setting).rejects.toMatchObject({ outcome: "unknown", facts: { step: "set" } });
  });

  it("fails when the upload answers no address", async () => {
    const routes = { ...service().routes, "POST /channelBanners/insert": () => ({ body: {} }) };
    const { client } = await startRig(routes);

    const setting = setBanner(client, { data: await picture(2048, 1152) });

    await expect(setting).rejects.toMatchObject({ code: "unreadable_answer", outcome: "part" });
  });
});
