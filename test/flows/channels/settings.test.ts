import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asMessage, openStage, type Stage, textOf } from "../../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

describe("a channel's settings", () => {
  it("show settings that only `extra` can set", async () => {
    const message = asMessage(
      await stage.sandbox.user("owner").command("channels edit", {
        language: "en",
        extra:
          'invideoPromotion={"useSmartTiming": true}; localizations.fr.title=Studio vert; localizations.fr.description=Bonjour; brandingSettings.channel.trackingAnalyticsAccountId=UA-1',
      }),
    );

    const text = textOf(message);
    expect(text).toContain('Promotion in videos\nnot set → {"useSmartTiming":true}');
    expect(text).toContain("French\nnot set → Studio vert");
    expect(text).toContain("Analytics account\nnot set → UA-1");
  });
});
