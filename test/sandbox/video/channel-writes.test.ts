import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { items, type Loose, open, picture, refused, related, type Stage, send } from "./writes.ts";

let server: Stage;

beforeAll(async () => {
  server = await open();
});

beforeEach(() => server.quota.refill());

afterAll(() => server.close());

function update(body: Loose, part = "brandingSettings") {
  const query = { part };
  return server.put("/channels", { id: server.ownChannelId, ...body }, query);
}

async function read(part: string): Promise<Loose> {
  const query = { part, mine: "true" };
  return items(await server.get("/channels", query))[0] ?? {};
}

function upload(image: Uint8Array, type = "image/jpeg", token: "owner" | "other" = "owner") {
  return send(server, "POST", `${server.uploadUrl}/channelBanners/insert`, {
    query: { uploadType: "media" },
    body: image,
    headers: { "Content-Type": type },
    token,
  });
}

const channel = {
  description: "About it",
  keywords: 'one "two words"',
  country: "FR",
  defaultLanguage: "fr",
  showBrowseView: false,
  trackingAnalyticsAccountId: "UA-1",
};

describe("channels.update", () => {
  it("stores the branding and shows it where else it is shown", async () => {
    const { status, body } = await update({ brandingSettings: { channel } });
    const { brandingSettings, snippet } = await read("brandingSettings,snippet");

    expect([status, body.brandingSettings.channel]).toEqual([200, brandingSettings.channel]);
    expect(brandingSettings.channel).toMatchObject({ ...channel, title: "Greenroom Studio" });
    expect(snippet).toMatchObject({
      description: "About it",
      country: "FR",
      defaultLanguage: "fr",
    });
  });

  it("erases what the body leaves out, and keeps the promotion, which is a part of its own", async () => {
    const invideoPromotion = { items: [{ id: { type: "recentUpload" } }], useSmartTiming: true };
    await update({ invideoPromotion }, "invideoPromotion");
    await update({ brandingSettings: { channel } });
    await update({ brandingSettings: { channel: { description: "Only this" } } });
    const after = await read("brandingSettings,invideoPromotion");

    expect(after.brandingSettings).toEqual({
      channel: { title: "Greenroom Studio", description: "Only this", keywords: "" },
    });
    expect(after.invideoPromotion).toEqual(invideoPromotion);
  });

  it("shows the promotion to the channel's owner alone", async () => {
    const answer = await server.get(
      "/channels?part=invideoPromotion",
      { id: server.ownChannelId },
      "other",
    );

    expect(refused(answer).slice(0, 2)).toEqual([403, "channelForbidden"]);
  });

  it("stores localizations and the children's mark", async () => {
    await update({ brandingSettings: { channel: { defaultLanguage: "en" } } });
    await update(
      { localizations: { de: { title: "Grün", description: "Zimmer" } } },
      "localizations",
    );
    await update({ status: { selfDeclaredMadeForKids: true } }, "status");
    const { localizations, status } = await read("localizations,status");
    const german = await server.get("/channels", { part: "snippet", mine: "true", hl: "de" });

    expect(localizations.de).toEqual({ title: "Grün", description: "Zimmer" });
    expect(status.selfDeclaredMadeForKids).toBe(true);
    expect(items(german)[0]?.snippet.localized.title).toBe("Grün");
  });

  it.each([
    ["another title", { title: "New name" }, [400, "channelTitleUpdateForbidden"]],
    ["an unknown country", { country: "Narnia" }, [400, "brandingValidationError"]],
    ["an unknown language", { defaultLanguage: "English!" }, [400, "brandingValidationError"]],
    ["1,001 characters", { description: "x".repeat(1001) }, [400, "brandingValidationError"]],
    ["an unknown trailer", { unsubscribedTrailer: "nothing" }, [400, "brandingValidationError"]],
  ])("refuses %s", async (_, given, expected) => {
    const answer = await update({ brandingSettings: { channel: given } });

    expect(refused(answer).slice(0, 2)).toEqual(expected);
  });

  it("takes the title as it is", async () => {
    const { status } = await update({
      brandingSettings: { channel: { title: "Greenroom Studio" } },
    });

    expect(status).toBe(200);
  });

  it("refuses localizations of a channel in no language", async () => {
    await update({ brandingSettings: { channel: {} } });
    const answer = await update({ localizations: { de: { title: "x" } } }, "localizations");

    expect(refused(answer)[1]).toBe("defaultLanguageNotSetError");
  });

  it.each([
    ["a channel of somebody else", () => server.otherChannelId, [403, "channelForbidden"]],
    ["an unknown channel", () => "UCnobody", [404, "channelNotFound"]],
  ])("refuses %s", async (_, id, expected) => {
    const answer = await update({ id: id(), brandingSettings: {} });

    expect(refused(answer).slice(0, 2)).toEqual(expected);
  });
});

describe("a banner", () => {
  it("is uploaded, served at the address it is given, and set with it", async () => {
    const image = await picture(2048, 1152);
    const { body } = await upload(image);
    const served = await fetch(body.url);
    await update({ brandingSettings: { image: { bannerExternalUrl: body.url } } });
    const { brandingSettings } = await read("brandingSettings");

    expect(body.kind).toBe("youtube#channelBannerResource");
    expect(Buffer.from(await served.arrayBuffer())).toEqual(image);
    expect(served.headers.get("content-type")).toBe("image/jpeg");
    expect(brandingSettings.image.bannerExternalUrl).toBe(body.url);
  });

  it("is judged by its bytes, not by its declared type", async () => {
    const png = await upload(
      await picture(2560, 1440, { format: "png" }),
      "application/octet-stream",
    );
    const served = await fetch(png.body.url);

    expect(served.headers.get("content-type")).toBe("image/png");
  });

  it.each([
    ["too small", () => picture(2032, 1143)],
    ["of another shape", () => picture(2400, 1600)],
    ["of another format", () => picture(2048, 1152, { format: "webp" })],
    ["no picture", () => Promise.resolve(Buffer.from("GIF89a, says the name"))],
  ])("is refused when it is %s", async (_, make) => {
    expect(refused(await upload(await make())).slice(0, 2)).toEqual([400, "badRequest"]);
  });

  it("is refused when nothing is sent", async () => {
    const answer = await send(server, "POST", "/channelBanners/insert");

    expect(refused(answer)[1]).toBe("mediaBodyRequired");
  });

  it.each([
    ["from elsewhere", async () => "https://example.com/banner.jpg"],
    ["that was not given out", async () => `${new URL(server.url).origin}/banners/made-up`],
    [
      "of somebody else",
      async () => (await upload(await picture(2048, 1152), "image/jpeg", "other")).body.url,
    ],
  ])("can't be an address %s", async (_, make) => {
    const bannerExternalUrl = await make();
    const answer = await update({ brandingSettings: { image: { bannerExternalUrl } } });

    expect(refused(answer).slice(0, 2)).toEqual([400, "brandingValidationError"]);
  });
});

describe("a watermark", () => {
  const set = async (image: Uint8Array, query: Record<string, string> = {}) =>
    send(server, "POST", `${server.uploadUrl}/watermarks/set`, {
      query: { channelId: server.ownChannelId, uploadType: "multipart", ...query },
      ...related(
        { timing: { type: "offsetFromEnd", offsetMs: "5000", durationMs: "3000" } },
        image,
        "image/png",
      ),
    });
  const served = async (): Promise<number> =>
    (await fetch(`${new URL(server.url).origin}/watermarks/${server.ownChannelId}`)).status;

  it("is set, served and taken away", async () => {
    const { status } = await set(await picture(150, 150, { format: "png" }));
    const shown = await served();
    const unset = await server.post(`/watermarks/unset?channelId=${server.ownChannelId}`);

    expect([status, shown, unset.status, await served()]).toEqual([204, 200, 204, 404]);
  });

  it.each([
    ["of another format", () => picture(150, 150, { format: "webp" }), "imageFormatUnsupported"],
    ["too tall", () => picture(100, 2049), "imageTooTall"],
    ["too wide", () => picture(2049, 100), "imageTooWide"],
  ])("is refused when it is %s", async (_, make, reason) => {
    expect(refused(await set(await make())).slice(0, 2)).toEqual([400, reason]);
  });

  it("is refused for a channel of somebody else", async () => {
    const answer = await set(await picture(9, 9), { channelId: server.otherChannelId });

    expect(refused(answer)).toEqual([403, "forbidden"]);
  });
});
